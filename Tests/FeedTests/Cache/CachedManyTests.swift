import EntitlementDomain
import EntitlementService
import EventStore
import JSON
import TestKit
import Testing

/// `entitlements.getMany` from memory and from the database together: one place in the log, and what the database says.
@Suite(.timeLimit(.minutes(3))) struct CachedManyTests {
    private static func many(_ service: FeedService, _ numbers: [Int]) async throws -> JSONValue {
        let accounts = numbers.map { JSONValue.string(Sample.account($0).description) }
        let answer = try await service.call("entitlements.getMany", ["accounts": .array(accounts)])
        return try #require(answer["result"], "\(answer)")
    }

    @Test func agreesWithTheDatabaseWhileTheLogGrows() async throws {
        let seed = SeededGenerator.seedOfThisRun("agreesWithTheDatabaseWhileTheLogGrows")
        var random = SeededGenerator(seed: seed)
        try await FeedDatabase.with { database in
            var none = CacheConfiguration()
            none.maximumBytes = 0
            let other = database.makeStore()
            try await FeedService.with(database) { cached in
                _ = try await cached.server.start()
                try await FeedService.with(database, cache: none) { general in
                    for step in 0..<150 {
                        if Int.random(in: 0..<3, using: &random) == 0 {
                            let store = Bool.random(using: &random) ? other : cached.store
                            let account = Sample.account(Int.random(in: 0..<12, using: &random))
                            _ = try await store.append(
                                Sample.command(.issueGrant(entitlement: "pro", startsAt: nil, endsAt: nil), on: account)
                            )
                        }
                        let numbers = (0..<Int.random(in: 1..<10, using: &random)).map { _ in
                            Int.random(in: 0..<12, using: &random)
                        }
                        let fromMemory = try await Self.many(cached, numbers)
                        let position = try #require(fromMemory["position"]?.stringValue)
                        var params: JSONObject = ["knownAt": .string(position)]
                        params.set(
                            "accounts",
                            .array(numbers.map { .string(Sample.account($0).description) })
                        )
                        let answer = try await general.call("entitlements.getMany", .object(params))
                        #expect(
                            fromMemory["results"] == answer["result"]?["results"],
                            "seed \(seed), step \(step), at \(position)"
                        )
                    }
                }
                let text = String(decoding: try await cached.send("/metrics").bytes, as: UTF8.self)
                #expect(!text.contains("\nentitled_cache_hits_total 0.0\n"))
            }
        }
    }

    @Test func sharesItsReadingWithTheOtherMethods() async throws {
        try await FeedDatabase.with { database in
            try await FeedService.with(database) { service in
                _ = try await service.server.start()
                let isKept = try await eventually {
                    _ = try await Self.many(service, [1, 2, 3])
                    let text = String(decoding: try await service.send("/metrics").bytes, as: UTF8.self)
                    return text.contains("\nentitled_cache_answers 3.0\n")
                }
                #expect(isKept)
                _ = try await service.call("entitlements.get", ["account": .string(Sample.account(2).description)])
                let text = String(decoding: try await service.send("/metrics").bytes, as: UTF8.self)
                #expect(!text.contains("\nentitled_cache_hits_total 0.0\n"))
            }
        }
    }
}
