import EntitlementDomain
import EventStore
import TestKit
import Testing

/// The promise of the feed: a cache that reads an account again whenever the feed names it, and only then, never gives a
/// stale answer.
@Suite(.timeLimit(.minutes(5))) struct FollowingCacheTests {
    /// Answers of accounts, as a consumer of the feed keeps them.
    private struct Cache {
        var answers: [AccountID: Answer] = [:]
        var place: FeedPosition?

        /// Reads what the feed names, on an instance.
        mutating func follow(_ store: PostgresEventStore, at now: Instant) async throws {
            var hasMore = true
            while hasMore {
                let page = try await store.changes(FeedQuery(after: place, limit: 5))
                for change in page.changes {
                    answers[change.account] = try await Self.answer(store, change.account, at: now)
                }
                place = page.position
                hasMore = page.hasMore
            }
        }

        static func answer(_ store: PostgresEventStore, _ account: AccountID, at now: Instant) async throws -> Answer {
            let snapshot = try await store.snapshot(ofAccount: account, in: .production)
            return snapshot.account.answer(at: now, catalog: snapshot.catalog, policy: store.policy)
        }
    }

    @Test(arguments: 0..<6) func isNeverStale(round: Int) async throws {
        let seed = SeededGenerator.seedOfThisRun("isNeverStale \(round)")
        var random = SeededGenerator(seed: seed)
        try await FeedDatabase.with { database in
            var policy = Policy()
            policy.renewalLeeway = try #require(CalendarDuration(iso8601: Bool.random(using: &random) ? "P2D" : "PT0S"))
            policy.refundAccess = Bool.random(using: &random) ? .immediate : .endOfPeriod
            let stores = (0..<2).map { _ in database.makeStore(policy: policy) }
            var cache = Cache()
            for step in 0..<120 {
                let now = database.clock.now
                let store = stores[Int.random(in: 0..<2, using: &random)]
                if Int.random(in: 0..<3, using: &random) > 0 {
                    let request = Self.request(step, at: now, &random)
                    _ = try await store.append(request)
                } else {
                    let hours = Int64.random(in: 0..<24 * 12, using: &random)
                    database.clock.now = now.advanced(byMilliseconds: hours * 3_600_000)
                }
                try await cache.follow(stores[Int.random(in: 0..<2, using: &random)], at: database.clock.now)
                for number in 0..<4 {
                    let account = Sample.account(number)
                    let fresh = try await Cache.answer(stores[0], account, at: database.clock.now)
                    let cached = cache.answers[account]
                    #expect(
                        (cached?.entitlements ?? []) == fresh.entitlements
                            && (cached?.balances ?? [:]) == fresh.balances,
                        "seed \(seed), step \(step), account \(number)"
                    )
                }
            }
        }
    }

    /// A statement or a command about one of four accounts, dated around now.
    private static func request(_ step: Int, at now: Instant, _ random: inout SeededGenerator) -> AppendRequest {
        func moment(_ days: ClosedRange<Int64>) -> Instant {
            now.advanced(byMilliseconds: Int64.random(in: days, using: &random) * 86_400_000)
        }
        let account = Sample.account(Int.random(in: 0..<4, using: &random))
        let line = "line-\(account.low & 3)-\(Int.random(in: 0..<3, using: &random))"
        let refund = Int.random(in: 0..<5, using: &random) == 0 ? moment(-3...6) : nil
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1:
            var facts = Sample.month(line, for: account, signedAt: now, revokedAt: refund)
            facts.purchasedAt = moment(-25...8)
            facts.expiresAt = facts.purchasedAt.advanced(byMilliseconds: 30 * 86_400_000)
            facts.transactionID = "\(line)-\(facts.purchasedAt.milliseconds)"
            return Sample.statement(facts, name: "\(step)")
        case 2:
            let renewal = RenewalFacts(
                signedAt: moment(-2...4),
                autoRenews: Bool.random(using: &random),
                isInBillingRetry: Bool.random(using: &random),
                gracePeriodExpiresAt: Bool.random(using: &random) ? moment(0...20) : nil
            )
            return Sample.statement(nil, renewal, name: "\(step)", line: line)
        case 3, 4:
            let name = "pass-\(account.low & 3)-\(Int.random(in: 0..<4, using: &random))"
            var facts = Sample.purchase(
                "pass.30d",
                name,
                type: .nonRenewing,
                at: Sample.day(0),
                for: account,
                signedAt: now,
                revokedAt: refund
            )
            facts.purchasedAt = moment(-20...5)
            return Sample.statement(facts, name: "\(step)")
        case 5:
            let facts = Sample.purchase(
                "coins.100",
                "coins-\(step)",
                type: .consumable,
                at: moment(-3...5),
                for: account,
                signedAt: now,
                revokedAt: refund
            )
            return Sample.statement(facts, name: "\(step)")
        case 6:
            return Sample.command(
                .issueGrant(
                    entitlement: "max",
                    startsAt: moment(-2...8),
                    endsAt: Bool.random(using: &random) ? moment(8...20) : nil
                ),
                on: account
            )
        case 7: return Sample.command(.placeHold(entitlement: nil), on: account)
        default:
            return Sample.command(.transfer(to: Sample.account(Int.random(in: 0..<4, using: &random))), on: account)
        }
    }
}
