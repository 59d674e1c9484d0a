import EntitlementDomain
import EventStore
import Postgres
import Testing

/// What the clock alone brings is in the feed at its instant, with no event in the log.
@Suite(.timeLimit(.minutes(2))) struct ClockChangeTests {
    private let account = Sample.account(1)

    /// The causes of the account's changes after a place, when the clock stands at an instant.
    private func causes(
        _ database: FeedDatabase,
        _ store: PostgresEventStore,
        after place: inout FeedPosition,
        at instant: Instant
    ) async throws -> [FeedChange.Cause] {
        database.clock.now = instant
        let page = try await store.changes(FeedQuery(after: place))
        place = page.position
        return page.changes.map(\.cause)
    }

    @Test func anExpiryAppearsAtItsInstantWithoutAnEvent() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore()
            let head = try await store.append(Sample.statement(Sample.month("a", for: account), name: "1")).head
            var place = FeedPosition(head)
            let end = Sample.day(30)
            let before = end.advanced(byMilliseconds: -1)
            #expect(try await causes(database, store, after: &place, at: before) == [])
            #expect(try await causes(database, store, after: &place, at: end) == [.clock(at: end)])
            #expect(try await store.position() == head)
            #expect(place == FeedPosition(head, ordinal: 1))
            #expect(try await causes(database, store, after: &place, at: Sample.day(400)) == [])
        }
    }

    @Test func aRenewalInTimeLeavesNoTraceOfTheOldEnd() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore()
            _ = try await store.append(Sample.statement(Sample.month("a", for: account), name: "1"))
            database.clock.now = Sample.day(29)
            let renewal = Sample.month("a", from: 30, signedAt: Sample.day(29))
            var place = FeedPosition(try await store.append(Sample.statement(renewal, name: "2")).head)
            #expect(try await causes(database, store, after: &place, at: Sample.day(30)) == [])
            #expect(try await causes(database, store, after: &place, at: Sample.day(59, hours: 23)) == [])
            #expect(
                try await causes(database, store, after: &place, at: Sample.day(60)) == [.clock(at: Sample.day(60))]
            )
        }
    }

    @Test func aLongLineIsLookedAtAlsoWhereItsHeadDoesNotReach() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore()
            database.clock.now = Sample.day(5)
            var place = try await store.feedEnd()
            // A year in advance: the head of the line holds the last months of it.
            for number in 0..<12 {
                let month = Sample.month("a", from: number * 30, for: account, signedAt: Sample.day(number * 30))
                place = FeedPosition(try await store.append(Sample.statement(month, name: "\(number)")).head)
            }
            let snapshot = try await store.snapshot(ofAccount: account, in: .production)
            #expect(snapshot.account.answersFrom == Sample.day(300))
            #expect(try await causes(database, store, after: &place, at: Sample.day(29)) == [])
            for day in [30, 60, 120, 300, 360] {
                let causes = try await causes(database, store, after: &place, at: Sample.day(day))
                // Of several changes since the last look the first one is named.
                let first = day == 120 ? 90 : day == 300 ? 150 : day == 360 ? 330 : day
                #expect(causes == [.clock(at: Sample.day(first))])
            }
        }
    }

    @Test func graceLeewayAndRetryEndOneAfterTheOther() async throws {
        try await FeedDatabase.with { database in
            var policy = Policy()
            policy.renewalLeeway = try #require(CalendarDuration(iso8601: "P2D"))
            let store = database.makeStore(policy: policy)
            let other = Sample.account(2)
            let renewal = RenewalFacts(signedAt: Sample.day(1), autoRenews: true)
            _ = try await store.append(Sample.statement(Sample.month("a", for: account), renewal, name: "1"))
            let failing = RenewalFacts(
                signedAt: Sample.day(1),
                autoRenews: true,
                isInBillingRetry: true,
                gracePeriodExpiresAt: Sample.day(33)
            )
            let head = try await store.append(Sample.statement(Sample.month("b", for: other), failing, name: "2")).head
            var place = FeedPosition(head)
            var found: [String] = []
            for day in 1...40 {
                database.clock.now = Sample.day(day)
                let page = try await store.changes(FeedQuery(after: place))
                place = page.position
                found += page.changes.map { "\(day) \($0.account == account ? "a" : "b")" }
            }
            // Both renewals say something from day 1 on; a goes into leeway at 30 and out at 32; b into grace and out at 33.
            #expect(found.filter { !$0.hasPrefix("1 ") }.sorted() == ["30 a", "30 b", "32 a", "33 b"])
        }
    }

    @Test func grantsBeginAndEnd() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore()
            let grant = AccountCommand.Action.issueGrant(
                entitlement: "pro",
                startsAt: Sample.day(5),
                endsAt: Sample.day(7)
            )
            var place = FeedPosition(try await store.append(Sample.command(grant, on: account)).head)
            #expect(try await causes(database, store, after: &place, at: Sample.day(4)) == [])
            #expect(try await causes(database, store, after: &place, at: Sample.day(5)) == [.clock(at: Sample.day(5))])
            #expect(try await causes(database, store, after: &place, at: Sample.day(6)) == [])
            #expect(try await causes(database, store, after: &place, at: Sample.day(7)) == [.clock(at: Sample.day(7))])
        }
    }

    @Test func theEndOfStackedPassesFollowsTheRefundOfOne() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore()
            func pass(_ line: String, _ day: Int, revokedAt: Instant? = nil, signedAt: Instant? = nil) -> AppendRequest
            {
                let facts = Sample.purchase(
                    "pass.30d",
                    line,
                    type: .nonRenewing,
                    at: Sample.day(day),
                    for: account,
                    signedAt: signedAt,
                    revokedAt: revokedAt
                )
                return Sample.statement(facts, name: "\(line) \(revokedAt == nil ? "bought" : "refunded")")
            }
            var place = FeedPosition(try await store.append(pass("a", 0)).head)
            #expect(try await causes(database, store, after: &place, at: Sample.day(10)) == [])
            place = FeedPosition(try await store.append(pass("b", 10)).head)
            // Together they last to day 60; without the first, the second one ends at day 40.
            #expect(try await causes(database, store, after: &place, at: Sample.day(35)) == [])
            let refund = pass("a", 0, revokedAt: Sample.day(35), signedAt: Sample.day(35))
            place = FeedPosition(try await store.append(refund).head)
            #expect(try await causes(database, store, after: &place, at: Sample.day(39)) == [])
            #expect(
                try await causes(database, store, after: &place, at: Sample.day(40)) == [.clock(at: Sample.day(40))]
            )
            #expect(try await causes(database, store, after: &place, at: Sample.day(100)) == [])
        }
    }

    @Test func whatFellDueWhileNobodyRanIsFoundAtTheNextStart() async throws {
        try await FeedDatabase.with { database in
            let first = database.makeStore()
            let head = try await first.append(Sample.statement(Sample.month("a", for: account), name: "1")).head
            await first.close()
            database.clock.now = Sample.day(45)
            let second = database.makeStore()
            second.start()
            #expect(try await eventually { try await isCalm(database) })
            // Not by asking: the instance itself finds it.
            let found = try await eventually {
                try await database.owner { session in
                    try session.query("SELECT count(*) FROM entitled.feed WHERE changed_at IS NOT NULL").int64(0, 0)
                } == 1
            }
            #expect(found)
            let changes = try await second.allChanges(after: FeedPosition(head))
            #expect(changes.map(\.cause) == [.clock(at: Sample.day(30))])
            // And it is told once.
            let end = try await second.feedEnd()
            await second.close()
            let third = database.makeStore()
            third.start()
            #expect(try await third.allChanges(after: FeedPosition(head)).map(\.position) == changes.map(\.position))
            #expect(try await third.feedEnd() == end)
        }
    }

    @Test func severalInstancesTellEachChangeOnce() async throws {
        try await FeedDatabase.with { database in
            let stores = (0..<3).map { _ in database.makeStore() }
            let count = 400
            for number in 0..<count {
                let facts = Sample.month("line-\(number)", from: number % 5, for: Sample.account(number))
                _ = try await stores[0].append(Sample.statement(facts, name: "\(number)"))
            }
            database.clock.now = Sample.day(4)
            for store in stores { store.start() }
            #expect(try await eventually { try await isCalm(database) })
            let place = try await stores[0].feedEnd()
            async let followed = follow(stores[1], from: place, count: count)
            database.clock.now = Sample.day(50)
            let changes = try await followed
            #expect(Set(changes.map(\.account)).count == count)
            let expected = Set((0..<5).map { FeedChange.Cause.clock(at: Sample.day($0 + 30)) })
            #expect(Set(changes.map(\.cause)) == expected)
            #expect(try await eventually { try await isCalm(database) })
            let all = try await stores[2].allChanges(after: place)
            #expect(all.count == count)
            #expect(Set(all.map(\.position)) == Set(changes.map(\.position)))
        }
    }

    /// Whether nothing is due and no walk is under way.
    private func isCalm(_ database: FeedDatabase) async throws -> Bool {
        let now = database.clock.now.milliseconds * 1_000
        return try await database.owner { session in
            try session.query(
                """
                SELECT is_done AND policy <> '' AND NOT EXISTS (SELECT FROM entitled.feed WHERE due_at <= $1::timestamptz)
                    AND catalog_position = (SELECT catalog_position FROM entitled.log_head)
                FROM entitled.feed_walk
                """,
                [.timestamptz(now)]
            ).bool(0, 0)
        }
    }

    /// Waits for so many changes, page after page.
    private func follow(_ store: PostgresEventStore, from place: FeedPosition, count: Int) async throws -> [FeedChange]
    {
        var query = FeedQuery(after: place, limit: 30)
        var changes: [FeedChange] = []
        let deadline = ContinuousClock.now + .seconds(20)
        while changes.count < count, ContinuousClock.now < deadline {
            let page = try await store.changes(query, upTo: .seconds(1))
            changes += page.changes
            query.after = page.position
        }
        return changes
    }

    @Test func anAccountThatCannotBeReadDoesNotHoldUpTheOthers() async throws {
        try await FeedDatabase.with { database in
            let store = database.makeStore()
            _ = try await store.append(Sample.statement(Sample.month("a", for: account), name: "1"))
            let other = Sample.account(2)
            let head = try await store.append(Sample.statement(Sample.month("b", for: other), name: "2")).head
            try await database.owner {
                try $0.execute("UPDATE entitled.lines SET state = '\\xff' WHERE line_id = 'a'")
            }
            database.clock.now = Sample.day(31)
            #expect(try await store.allChanges(after: FeedPosition(head)).map(\.account) == [other])
        }
    }
}
