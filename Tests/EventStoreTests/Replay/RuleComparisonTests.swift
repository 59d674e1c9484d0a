import EntitlementDomain
import Foundation
import Postgres
import TestKit
import Testing

@testable import EventStore

/// What other rules would do: who gains and who loses access, at an instant, from what was known at a cut.
@Suite struct RuleComparisonTests {
    @Test func aCatalogThatGrantsOtherThingsIsCompared() async throws {
        try await withLog { database in
            let other = Sample.catalogText.replacing(#"["pro"]"#, with: #"["max"]"#)
            var comparison = comparison(at: Sample.day(10))
            comparison.otherCatalog = try Sample.catalog(other).catalog
            let report = try await run(comparison, database)
            #expect(report.accountCount == 2)
            #expect(report.counts == [.gains: 1, .loses: 1])
            #expect(report.changes.map(\.account) == [Sample.account, Sample.account])
            #expect(report.changes.map(\.entitlement) == ["max", "pro"])
            #expect(report.changes.map(\.kind) == [.gains, .loses])
            #expect(report.changes[1].endBefore == Sample.day(30))
            // After the end of the period nobody has anything to lose.
            comparison.instant = Sample.day(31)
            #expect(try await run(comparison, database).isEqual)
            // Before the purchase was recorded nobody had anything.
            comparison.instant = Sample.day(10)
            comparison.knownAt = .position(LogPosition(epoch: 1, number: 1))
            let early = try await run(comparison, database)
            #expect(early.isEqual && early.accountCount == 0 && early.eventCount == 1)
        }
    }

    @Test func aPolicyThatIsKinderIsCompared() async throws {
        try await withLog { database in
            var policy = Policy()
            policy.refundAccess = .endOfPeriod
            var comparison = comparison(at: Sample.day(10))
            comparison.otherPolicy = policy
            let report = try await run(comparison, database)
            #expect(report.counts == [.gains: 1])
            #expect(report.changes.first?.account == Sample.otherAccount)
            #expect(report.changes.first?.stateBefore == .revoked)
            comparison.account = Sample.account
            #expect(try await run(comparison, database).isEqual)
            comparison.account = nil
            comparison.environment = .sandbox
            #expect(try await run(comparison, database).accountCount == 0)
            comparison.environment = .production
            comparison.limit = 0
            let counted = try await run(comparison, database)
            #expect(counted.changes.isEmpty && counted.counts == [.gains: 1])
        }
    }

    @Test func leewayMovesTheEnd() async throws {
        try await withLog { database in
            var policy = Policy()
            policy.renewalLeeway = CalendarDuration(months: 1)
            var comparison = comparison(at: Sample.day(10))
            comparison.policy = policy
            comparison.otherPolicy = Policy()
            let report = try await run(comparison, database)
            #expect(report.changes.filter { $0.kind == .endsSooner }.count <= 1)
            #expect(report.counts[.gains] == nil)
        }
    }

    @Test func theSameRulesChangeNothing() async throws {
        let seed = SeededGenerator.seedOfThisRun("theSameRulesChangeNothing")
        try await RandomLog.with(seed) { database, store in
            var comparison = comparison(at: Sample.day(40))
            comparison.otherCatalog = try Sample.catalog().catalog
            comparison.otherPolicy = Policy()
            comparison.memoryLimit = 2_048
            let report = try await run(comparison, database)
            #expect(report.isEqual, "seed \(seed): \(report.changes.prefix(3))")
            // Every answer is the one that the service gives.
            comparison.otherCatalog = .empty
            let losses = try await run(comparison, database).changes.filter { $0.kind == .loses }
            var expected = 0
            for environment in [StoreEnvironment.production, .sandbox] {
                for account in RandomFacts.accounts {
                    let snapshot = try await store.snapshot(ofAccount: account, in: environment)
                    func answer(_ catalog: Catalog) -> Answer {
                        snapshot.account.answer(at: Sample.day(40), catalog: catalog, policy: Policy())
                    }
                    let without = answer(.empty)
                    expected +=
                        answer(snapshot.catalog).entitlements
                        .filter { $0.isActive && without[entitlement: $0.id]?.isActive != true }.count
                }
            }
            #expect(losses.count == expected, "seed \(seed)")
        }
    }

    /// One account with a running month, one whose month was refunded on the fifth day.
    private func withLog(_ body: (StoreDatabase) async throws -> Void) async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            _ = try await store.append(.catalog(try Sample.catalog().canonicalJSON))
            var refunded = Sample.month("2", token: Sample.otherAccount)
            refunded.revokedAt = Sample.day(5)
            refunded.signedAt = Sample.day(5)
            for facts in [Sample.month("1", token: Sample.account), refunded] {
                _ = try await store.append(.statement(Sample.upload(facts), claim: nil))
            }
            try await body(database)
        }
    }

    private func comparison(at instant: Instant) -> RuleComparison {
        var comparison = RuleComparison(
            policy: Policy(),
            instant: instant,
            sessions: 2,
            workDirectory: FileManager.default.temporaryDirectory
        )
        comparison.bucketLength = 10
        return comparison
    }

    private func run(_ comparison: RuleComparison, _ database: StoreDatabase) async throws -> RuleReport {
        try await comparison.compare(PostgresConfiguration(connectionString: database.ownerConnectionString))
    }
}
