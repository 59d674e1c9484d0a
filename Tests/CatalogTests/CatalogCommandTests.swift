import EntitlementDomain
import EventStore
import Foundation
import JSON
import Testing

@testable import entitled

@Suite struct CatalogCommandTests {
    private static let catalog = #"{ "entitlements": [{ "id": "pro" }], "products": [] }"#

    private func importing(_ arguments: String...) async throws {
        try await CatalogImportCommand.run(ParsedArguments(arguments, options: CatalogImportCommand.options))
    }

    /// The status and message with which a command ends.
    private func failure(_ work: () async throws -> Void) async -> CommandError? {
        do {
            try await work()
            return nil
        } catch {
            return error as? CommandError
        }
    }

    @Test func importOfAConfigurationWritesACatalogWithoutADatabase() async throws {
        try await TemporaryFolder.use { folder in
            let output = folder.appending(path: "catalog.json")
            try await importing(
                StoreKitImportTests.path("library-2.0.storekit"),
                "--output",
                output.path(percentEncoded: false)
            )
            let document = try CatalogDocument.read([UInt8](Data(contentsOf: output)))
            #expect(document.catalog["com.example.library.club.yearly"]?.grants == ["reading-club"])
        }
    }

    @Test func aCompletedCatalogIsNotWrittenOver() async throws {
        try await TemporaryFolder.use { folder in
            let source = StoreKitImportTests.path("library-2.0.storekit")
            let output = folder.appending(path: "catalog.json")
            let path = output.path(percentEncoded: false)
            try await importing(source, "--output", path)
            let draft = try Data(contentsOf: output)
            try await importing(source, "--output", path)
            try Data("mine".utf8).write(to: output)
            let error = await failure { try await importing(source, "--output", path) }
            #expect(error?.status == .usage)
            #expect(try Data(contentsOf: output) == Data("mine".utf8))
            try await importing(source, "--output", path, "--force")
            #expect(try Data(contentsOf: output) == draft)
        }
    }

    @Test func aFaultyConfigurationIsADataErrorThatNamesEveryLine() async throws {
        let source = StoreKitImportTests.path("handmade.storekit")
        let error = await failure { try await importing(source) }
        #expect(error?.status == .dataError)
        for line in [4, 5, 6, 7, 8, 9, 11, 33, 36, 37, 38, 39, 44] {
            #expect(error?.message.contains("\nline \(line): ") == true, "line \(line)")
        }
    }

    @Test func optionsOfTheOtherKindOfFileAreRefused() async throws {
        try await TemporaryFolder.use { folder in
            let source = StoreKitImportTests.path("library-2.0.storekit")
            let withDatabase = await failure { try await importing(source, "--database", "host=/nowhere") }
            #expect(withDatabase?.status == .usage)
            let plain = folder.appending(path: "plain.json")
            try Data(Self.catalog.utf8).write(to: plain)
            let path = plain.path(percentEncoded: false)
            let withOutput = await failure { try await importing(path, "--output", path + ".new") }
            #expect(withOutput?.status == .usage)
        }
    }

    @Test func aReportTellsErrorsFromWarnings() {
        let usable = CatalogCheckReport(path: "a.json", bytes: Array(Self.catalog.utf8))
        #expect(usable.isUsable)
        #expect(
            usable.text == """
                a.json: warning: line 1: products: the catalog has no products: nobody is entitled to anything
                a.json: warning: line 1: entitlements[0].id: no product grants entitlement "pro"
                a.json: 0 products, 1 entitlement, 2 warnings
                """
        )
        let faulty = CatalogCheckReport(path: "b.json", bytes: Array("{\n \"products\": [],\n \"x\": 1 }".utf8))
        #expect(!faulty.isUsable)
        #expect(
            faulty.text == """
                b.json: warning: line 2: products: the catalog has no products: nobody is entitled to anything
                b.json: line 3: x: there is no member "x" here; known: entitlements, currencies, products
                b.json: 1 error, 1 warning
                """
        )
    }

    @Test func aReportForMachinesHoldsTheSame() {
        #expect(
            CatalogCheckReport(path: "b.json", bytes: Array("{ \"products\": 1 }".utf8)).json == [
                "file": "b.json", "ok": false,
                "problems": [
                    [
                        "severity": "error", "line": 1, "path": "products",
                        "message": "must be an array of products, not a number",
                    ]
                ],
            ]
        )
        let usable = CatalogCheckReport(path: "a.json", bytes: Array(Self.catalog.utf8)).json
        #expect(usable["ok"] == true && usable["entitlements"] == 1 && usable["products"] == 0)
        #expect(usable["problems"]?.arrayValue?.map { $0["severity"] } == ["warning", "warning"])
    }

    @Test func aConfigurationIsToldFromAFaultyCatalog() {
        let report = CatalogCheckReport(path: "App.storekit", bytes: Array(#"{ "subscriptionGroups": [] }"#.utf8))
        #expect(!report.isUsable)
        #expect(report.text.contains("entitled catalog import App.storekit"))
    }
}
