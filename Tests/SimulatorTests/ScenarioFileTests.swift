import Foundation
import JSON
import Simulator
import Testing

@Suite struct ScenarioFileTests {
    @Test func everyFixtureIsReadAndTheCatalogIsPassedOver() throws {
        let paths = ScenarioFile.files(at: [Fixtures.folder])
        #expect(paths.count > 41)
        var names: Set<String> = []
        for path in paths {
            let file = try ScenarioFile.load(path)
            #expect((file == nil) == path.hasSuffix("/catalog.json"))
            guard let file else { continue }
            #expect(names.insert(file.name).inserted)
            #expect(!file.deliveries.isEmpty)
            #expect(!file.expectations.isEmpty)
        }
        #expect(names.count == paths.count - 1)
    }

    @Test func everythingAFileSaysIsRead() throws {
        let file = try Fixtures.scenario(
            """
            { "name": "a story", "about": "it goes wrong", "orders": "all", "repeat": true,
              "catalog": { "products": [] },
              "policy": { "ownership": "transferToNewest", "refundAccess": "endOfPeriod", "renewalLeeway": "PT6H",
                          "graceWithoutDate": "P3D", "negativeBalance": "floorAtZero", "acceptXcode": true,
                          "environments": ["Sandbox"] },
              "deliveries": [
                { "id": "d1", "at": "2026-03-01T00:00:00Z", "tamper": "chain", "answer": { "refused": true },
                  "notification": { "notificationType": "TEST" } },
                { "id": "d2", "at": "2026-03-02T00:00:00Z", "answer": { "error": "ownershipConflict" },
                  "upload": { "transaction": { "transactionId": "1" } } },
                { "id": "d3", "at": "2026-03-03T00:00:00Z", "answer": { "result": { "account": "U1" } },
                  "rpc": { "method": "grants.issue", "params": { "account": "U1" } } } ],
              "expect": [
                { "after": "d1", "at": "2026-03-01T00:00:00Z", "originalTransactionId": "1", "environment": "Sandbox",
                  "balances": { "coins": 5 }, "entitlement": "pro", "is": { "active": true } },
                { "at": "2026-03-01T00:00:00Z", "rpc": { "method": "rpc.discover" }, "is": [1] },
                { "at": "2026-03-01T00:00:00Z", "rpc": { "method": "x" }, "error": "notFound" },
                { "at": "2026-03-01T00:00:00Z", "account": "A1111111-1111-4111-8111-111111111111",
                  "eventTypes": ["Purchased"] } ] }
            """
        )
        #expect(file.name == "a story")
        #expect(file.about == "it goes wrong")
        #expect(file.orders == .all)
        #expect(file.repeats)
        #expect(file.catalog == ["products": []])
        #expect(file.policy["renewalLeeway"] == "PT6H")
        #expect(file.deliveries.map(\.id) == ["d1", "d2", "d3"])
        #expect(file.deliveries[0].tamper == .chain)
        #expect(
            file.deliveries.map(\.answer) == [
                ScenarioAnswer(isRefused: true),
                ScenarioAnswer(error: "ownershipConflict"),
                ScenarioAnswer(result: ["account": "11111111-1111-4111-8111-111111111111"]),
            ]
        )
        guard case .call(let call) = file.deliveries[2].content else { preconditionFailure("d3 is a call") }
        #expect(
            call
                == ScenarioCall(
                    method: "grants.issue",
                    params: ["account": "11111111-1111-4111-8111-111111111111"]
                )
        )
        #expect(file.expectations.map(\.line) == [14, 16, 17, 18])
        #expect(file.expectations.map(\.checks.count) == [2, 1, 1, 1])
        #expect(file.expectations[0].subject == .line(originalTransactionID: "1"))
        #expect(file.expectations[0].after == "d1")
    }

    @Test func whatAFileLeavesOutHasItsDefault() throws {
        let file = try Fixtures.scenario(#"{"deliveries":[]}"#)
        #expect(file.name == "story.json")
        #expect(file.orders == .listed)
        #expect(!file.repeats)
        #expect(file.policy.isEmpty)
        #expect(file.catalog == Fixtures.catalog)
        #expect(file.expectations.isEmpty)
    }

    @Test func aFileWithoutDeliveriesIsPassedOverWhateverElseItSays() throws {
        #expect(try ScenarioFile.parse(Array(#"{"products":[],"name":5}"#.utf8), fileName: "a.json") == nil)
    }

    @Test func theCatalogBesideTheFileServesItsNeighbours() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "scenarios-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let story = folder.appending(path: "story.json").path(percentEncoded: false)
        try Data(#"{"deliveries":[]}"#.utf8).write(to: URL(filePath: story))
        #expect(throws: ScenarioFileError.self) { try ScenarioFile.load(story) }
        try Data(#"{"products":[]}"#.utf8).write(to: folder.appending(path: "catalog.json"))
        #expect(try ScenarioFile.load(story)?.catalog == ["products": []])
        try Data("{".utf8).write(to: folder.appending(path: "catalog.json"))
        let error = #expect(throws: ScenarioFileError.self) { try ScenarioFile.load(story) }
        #expect(error?.problems.first?.file == "catalog.json")
    }

    @Test func aMissingFileIsAnErrorThatNamesIt() {
        let error = #expect(throws: ScenarioFileError.self) { try ScenarioFile.load("/nowhere/story.json") }
        #expect(error?.description.contains("cannot read /nowhere/story.json") == true)
    }
}
