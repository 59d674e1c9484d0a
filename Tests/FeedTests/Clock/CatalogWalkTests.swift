import EntitlementDomain
import EventStore
import Testing

/// A new catalog changes answers and the instants at which answers change; the feed tells of both.
@Suite(.timeLimit(.minutes(5))) struct CatalogWalkTests {
    private func catalog(_ replacements: [(String, String)]) throws -> AppendRequest {
        var text = Sample.catalogText
        for (old, new) in replacements {
            #expect(text.contains(old))
            text = text.replacing(old, with: new)
        }
        return .catalog(try Sample.catalog(text))
    }

    /// Waits for the end of a walk over the feed.
    private func walk(_ database: FeedDatabase) async throws {
        let isDone = try await eventually {
            try await database.number(
                """
                SELECT (w.is_done AND w.policy <> '' AND w.catalog_position = h.catalog_position)::integer
                FROM entitled.feed_walk w, entitled.log_head h
                """
            ) == 1
        }
        #expect(isDone)
    }

    @Test func accountsWhoseAnswerACatalogChangesAreListed() async throws {
        try await FeedDatabase.with { database in
            let stores = (0..<2).map { _ in database.makeStore() }
            // More than two steps of a walk.
            let count = 600
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<count {
                    group.addTask {
                        let account = Sample.account(number)
                        let facts =
                            number % 2 == 0
                            ? Sample.month("line-\(number)", for: account)
                            : Sample.purchase(
                                "pro.lifetime",
                                "line-\(number)",
                                type: .nonConsumable,
                                at: Sample.day(0),
                                for: account
                            )
                        _ = try await stores[number % 2].append(Sample.statement(facts, name: "\(number)"))
                    }
                }
                try await group.waitForAll()
            }
            for store in stores { store.start() }
            try await walk(database)
            let place = try await stores[0].feedEnd()
            let head = try await stores[0].append(
                try catalog([(#""nonConsumable", "grants": ["pro"]"#, #""nonConsumable", "grants": ["pro", "max"]"#)])
            ).head
            try await walk(database)
            let changes = try await stores[1].allChanges(after: place)
            let expected = Set((0..<count).filter { $0 % 2 == 1 }.map { Sample.account($0) })
            #expect(Set(changes.map(\.account)) == expected)
            #expect(changes.count == expected.count)
            #expect(changes.allSatisfy { $0.cause == .event && $0.position.log == head && $0.position.ordinal > 0 })
        }
    }

    /// Whoever has read an account under a catalog that was replaced before the walk has come by is told of it.
    @Test func aCatalogThatIsTakenBackAtOnceIsTold() async throws {
        try await FeedDatabase.with { database in
            let first = database.makeStore()
            for number in 0..<5 {
                let facts = Sample.purchase(
                    "pro.lifetime",
                    "line-\(number)",
                    type: .nonConsumable,
                    at: Sample.day(0),
                    for: Sample.account(number)
                )
                _ = try await first.append(Sample.statement(facts, name: "\(number)"))
            }
            first.start()
            try await walk(database)
            await first.close()

            let second = database.makeStore()
            let place = try await second.feedEnd()
            let more = (#""nonConsumable", "grants": ["pro"]"#, #""nonConsumable", "grants": ["pro", "max"]"#)
            _ = try await second.append(try catalog([more]))
            let read = try await second.snapshot(ofAccount: Sample.account(1), in: .production)
            let answer = read.account.answer(at: database.clock.now, catalog: read.catalog, policy: second.policy)
            #expect(answer.entitlements.map(\.id) == ["max", "pro"])
            _ = try await second.append(try catalog([]))
            second.start()
            try await walk(database)
            let told = try await second.allChanges(after: place)
            #expect(Set(told.map(\.account)) == Set((0..<5).map { Sample.account($0) }))
        }
    }

    @Test func theClockFollowsTheNewRules() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore()
            let account = Sample.account(1)
            let facts = Sample.purchase("pass.30d", "a", type: .nonRenewing, at: Sample.day(0), for: account)
            _ = try await store.append(Sample.statement(facts, name: "1"))
            store.start()
            try await walk(database)
            database.clock.now = Sample.day(5)
            _ = try await store.append(try catalog([("P30D", "P10D")]))
            try await walk(database)
            var place = try await store.feedEnd()
            database.clock.now = Sample.day(9)
            #expect(try await store.allChanges(after: place).isEmpty)
            database.clock.now = Sample.day(10)
            let shortened = try await store.allChanges(after: place)
            #expect(shortened.map(\.cause) == [.clock(at: Sample.day(10))])
            _ = try await store.append(try catalog([("P30D", "P40D")]))
            try await walk(database)
            // Access is back, by the new catalog.
            let revived = try await store.allChanges(after: shortened.last?.position)
            #expect(revived.map(\.cause) == [.event])
            place = try await store.feedEnd()
            database.clock.now = Sample.day(40)
            #expect(try await store.allChanges(after: place).map(\.cause) == [.clock(at: Sample.day(40))])
        }
    }

    @Test func anotherPolicyAtTheNextStartMovesTheInstants() async throws {
        try await FeedDatabase.with { database in
            let first = database.makeStore()
            let account = Sample.account(1)
            let renewal = RenewalFacts(signedAt: Sample.day(0), autoRenews: true)
            _ = try await first.append(Sample.statement(Sample.month("a", for: account), renewal, name: "1"))
            first.start()
            try await walk(database)
            database.clock.now = Sample.day(29)
            #expect(try await first.allChanges().count == 1)
            await first.close()
            var policy = Policy()
            policy.renewalLeeway = try #require(CalendarDuration(iso8601: "P3D"))
            let second = database.makeStore(policy: policy)
            second.start()
            try await walk(database)
            var found: [FeedChange.Cause] = []
            var place = try await second.feedEnd()
            for day in [30, 31, 32, 33, 34] {
                database.clock.now = Sample.day(day)
                let changes = try await second.allChanges(after: place)
                place = changes.last?.position ?? place
                found += changes.map(\.cause)
            }
            #expect(found == [.clock(at: Sample.day(30)), .clock(at: Sample.day(33))])
        }
    }
}
