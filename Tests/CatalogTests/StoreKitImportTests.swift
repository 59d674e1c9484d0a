import AppStore
import EntitlementDomain
import EventStore
import Foundation
import JSON
import Testing

@testable import entitled

/// From Xcode's file to answers: import, complete, check, play.
@Suite struct StoreKitImportTests {
    static let names = ["library-2.0.storekit", "fitness-3.0.storekit", "news-4.0.storekit", "studio-5.0.storekit"]

    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures/StoreKit")

    static func path(_ name: String) -> String {
        fixtures.appending(path: name).path(percentEncoded: false)
    }

    private func draft(_ name: String) throws -> CatalogDraft {
        let bytes = [UInt8](try Data(contentsOf: URL(filePath: Self.path(name))))
        return CatalogDraft(try StoreKitConfiguration.read(bytes).configuration)
    }

    /// The draft as an operator completes it: passes last 30 days.
    private func completed(_ draft: CatalogDraft) -> [UInt8] {
        let text = String(decoding: draft.bytes, as: UTF8.self)
        return Array(text.replacing("\"duration\": null", with: "\"duration\": \"P30D\"").utf8)
    }

    @Test(arguments: names)
    func aDraftIsRefusedExactlyWhereADurationIsMissing(name: String) throws {
        let draft = try draft(name)
        var problems: [CatalogError.Problem] = []
        do {
            problems = try CatalogDocument.read(draft.bytes).warnings
        } catch {
            problems = error.problems + error.warnings
        }
        let required = draft.tasks.filter(\.isRequired)
        #expect(problems.map(\.line) == required.map(\.line))
        #expect(problems.map(\.path) == required.map(\.path))
        #expect(problems.allSatisfy { $0.message.contains("write how long") })
    }

    @Test(arguments: names)
    func aCompletedDraftIsAccepted(name: String) throws {
        let document = try CatalogDocument.read(completed(draft(name)))
        #expect(document.warnings == [])
        let source = [UInt8](try Data(contentsOf: URL(filePath: Self.path(name))))
        #expect(document.catalog.products.count == (try StoreKitConfiguration.read(source).configuration.productCount))
    }

    @Test func aCompletedDraftAnswersInAScenario() async throws {
        try await TemporaryFolder.use { folder in
            let catalog = try JSONParser.parse(completed(draft("studio-5.0.storekit")))
            let scenario: JSONValue = [
                "name": "an imported catalog", "orders": "all", "catalog": catalog,
                "deliveries": [
                    Self.purchase("d1", "com.example.studio.lite.monthly", "1001", "2026-03-01", until: "2026-04-01"),
                    Self.purchase("d2", "com.example.studio.brushes", "2001", "2026-03-02"),
                    Self.purchase("d3", "com.example.studio.workshop", "3001", "2026-03-03"),
                    Self.purchase("d4", "com.example.studio.credits.50", "4001", "2026-03-04"),
                ],
                "expect": [
                    Self.expectation("studio-pro", ["active": true, "expiresAt": "2026-04-01T00:00:00.000Z"]),
                    Self.expectation("com.example.studio.brushes", ["active": true, "expiresAt": nil]),
                    Self.expectation(
                        "com.example.studio.workshop",
                        ["active": true, "expiresAt": "2026-04-02T00:00:00.000Z"]
                    ),
                    [
                        "at": "2026-03-20T00:00:00Z", "account": "U1",
                        "balances": ["com.example.studio.credits.50": 1],
                    ],
                ],
            ]
            let file = folder.appending(path: "imported.json")
            try Data(scenario.serialized()).write(to: file)
            let path = file.path(percentEncoded: false)
            try await ScenarioRunCommand.run(ParsedArguments([path], options: ScenarioRunCommand.options))
        }
    }

    private static func purchase(
        _ id: String,
        _ product: String,
        _ transaction: String,
        _ day: String,
        until end: String? = nil
    ) -> JSONValue {
        var signed: JSONObject = [
            "transactionId": .string(transaction), "productId": .string(product),
            "purchaseDate": .string("\(day)T00:00:00Z"), "appAccountToken": "U1",
        ]
        if let end { signed.append("expiresDate", .string("\(end)T00:00:00Z")) }
        return [
            "id": .string(id), "at": .string("\(day)T00:00:00Z"),
            "notification": [
                "notificationType": end == nil ? "ONE_TIME_CHARGE" : "SUBSCRIBED", "transaction": .object(signed),
            ],
        ]
    }

    private static func expectation(_ entitlement: String, _ entry: JSONValue) -> JSONValue {
        ["at": "2026-03-20T00:00:00Z", "account": "U1", "entitlement": .string(entitlement), "is": entry]
    }
}
