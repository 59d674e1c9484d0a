import EntitlementAPI
import EntitlementDomain
import EntitlementService
import EventStore
import JSON
import Testing

/// `changes.list` as a caller sees it.
@Suite(.timeLimit(.minutes(2))) struct ChangesListTests {
    private let account = Sample.account(1)

    @Test func eventsAndClockChangesAreListed() async throws {
        try await FeedDatabase.with { database in
            try await FeedService.with(database) { service in
                let head = try await service.store.append(
                    Sample.statement(Sample.month("a", for: account), name: "1")
                ).head
                let first = try await service.call("changes.list", [:])["result"]
                #expect(
                    first?["changes"] == [
                        [
                            "account": .string(account.description), "environment": "Production",
                            "position": .string(head.description), "kind": "event",
                        ]
                    ]
                )
                #expect(first?["hasMore"] == false)
                let position = try #require(first?["position"])
                #expect(position.stringValue == head.description)
                database.clock.now = Sample.day(30)
                let second = try await service.call("changes.list", ["after": position])["result"]
                let change = try #require(second?["changes"]?[0])
                #expect(change["kind"] == "clock")
                #expect(change["at"]?.stringValue == Sample.day(30).iso8601)
                #expect(change["position"] == second?["position"])
                // The place of a change is a position to read at.
                let answer = try await service.call(
                    "entitlements.get",
                    ["account": .string(account.description), "minPosition": change["position"] ?? .null]
                )["result"]
                #expect(answer?["entitlements"]?[0]?["active"] == false)
                #expect(answer?["position"]?.stringValue == head.description)
                let third = try await service.call("changes.list", ["after": second?["position"] ?? .null])["result"]
                #expect(third?["changes"] == [])
            }
        }
    }

    @Test func aPlaceOfAnotherEpochIsRefusedWithThePositionOfNow() async throws {
        try await FeedDatabase.with { database in
            try await FeedService.with(database) { service in
                let error = try await service.call("changes.list", ["after": "7:1", "waitMs": 20_000])["error"]
                #expect(error?["code"] == 40)
                #expect(error?["data"]?["reason"] == "positionNotReached")
                let position = try await service.store.position()
                #expect(error?["data"]?["position"]?.stringValue == position.description)
            }
        }
    }

    @Test(
        arguments: [
            ["after": 1], ["after": "1"], ["limit": 0], ["limit": 1_001], ["waitMs": 30_001], ["waitMs": -1],
            ["environment": "Moon"], ["account": "x"],
        ] as [JSONValue]
    )
    func otherParametersAreRefused(params: JSONValue) async throws {
        try await FeedDatabase.with { database in
            try await FeedService.with(database) { service in
                let answer = try await service.call("changes.list", params)
                #expect(answer["error"]?["code"] == -32_602)
            }
        }
    }

    @Test func theScopeIsRead() async throws {
        try await FeedDatabase.with { database in
            try await FeedService.with(database, scopes: [.submit, .audit, .admin]) { service in
                let answer = try await service.call("changes.list", [:])
                #expect(answer["error"]?["data"]?["reason"] == "forbidden")
            }
        }
    }
}
