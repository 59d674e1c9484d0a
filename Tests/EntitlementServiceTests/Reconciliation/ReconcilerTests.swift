import AppStore
import EntitlementDomain
import EntitlementService
import EventStore
import JSON
import Simulator
import Testing

struct ReconcilerTests {
    private static let month: Int64 = 31 * 24

    @Test func aSecondRunFindsNothingNew() async throws {
        let desk = try await HealingDesk.make()
        desk.setUp(false)
        try desk.fake.buy(.monthly("pro.monthly"), account: HealingDesk.account)
        try await desk.fake.advance(hours: 3)
        let first = try #require(try await desk.reconcile(.everything))
        #expect(first.histories.map(\.appended).reduce(0, +) == 1)
        let second = try #require(try await desk.reconcile(.everything))
        #expect(second.histories.map(\.appended).reduce(0, +) == 0)
        #expect(try await desk.duplicates() == 0)
        #expect(try await desk.count("SELECT count(*) FROM entitled.events WHERE source = 'api'") == 1)
        try await desk.close()
    }

    @Test func betweenTheIntervalsOnlyFailuresAreFetched() async throws {
        let desk = try await HealingDesk.make()
        try desk.fake.buy(.monthly("pro.monthly"), account: HealingDesk.account)
        try await desk.fake.deliverDue()
        _ = try await desk.reconcile()
        desk.setUp(false)
        try desk.fake.buy(.monthly("pro.monthly"), account: AccountID(high: 2, low: 2))
        try await desk.fake.deliverDue()
        desk.setUp(true)
        let nothing = try #require(try await desk.reconcile())
        #expect(nothing.histories.isEmpty, "nothing is due yet")
        // Before the App Store's own repetition.
        try await desk.fake.advance(to: desk.fake.now.advanced(byMilliseconds: 15 * 60_000))
        let report = try #require(try await desk.reconcile())
        let history = try #require(report.histories.first { $0.environment == .production })
        #expect(history.onlyFailures)
        #expect(history.notifications == 1)
        #expect(history.appended == 1)
        #expect(try await desk.differences() == [])
        try await desk.close()
    }

    @Test func aRunEndsWithTheHoursCallsAndTheNextGoesOn() async throws {
        let desk = try await HealingDesk.make { $0?.reconciliation.callsPerHour = 4 }
        desk.setUp(false)
        for index in 0..<130 {
            try desk.fake.buy(.monthly("pro.monthly"), account: AccountID(high: 3, low: UInt64(index)))
            // More than one window, so that there are places to go on from.
            if index % 30 == 0 { try await desk.fake.advance(hours: 24) }
        }
        try await desk.fake.advance(hours: 1)
        var runs = 0
        while true {
            let report = try #require(try await desk.reconcile(.everything))
            runs += 1
            #expect(report.calls <= 4)
            if report.stop == nil { break }
            try #require(runs < 60, "\(String(describing: report.stop))")
            try await desk.fake.advance(hours: 1)
        }
        #expect(runs > 2)
        #expect(try await desk.differences() == [])
        #expect(try await desk.duplicates() == 0)
        try await desk.close()
    }

    @Test func aRateLimitEndsTheRunAndIsNotPressed() async throws {
        let desk = try await HealingDesk.make()
        desk.setUp(false)
        try desk.fake.buy(.monthly("pro.monthly"), account: HealingDesk.account)
        try await desk.fake.deliverDue()
        desk.fake.inject(InjectedFault(.rateLimit(milliseconds: 3_600_000), times: nil))
        let report = try #require(try await desk.reconcile())
        #expect(report.stop?.contains("limits the rate") == true)
        #expect(report.calls == 1)
        desk.fake.clearFaults()
        #expect(try await desk.reconcile()?.stop == nil)
        #expect(try await desk.differences() == [])
        try await desk.close()
    }

    @Test func oneEnvironmentThatFailsLeavesTheOtherItsTurn() async throws {
        let desk = try await HealingDesk.make()
        desk.setUp(false)
        try desk.fake.buy(.monthly("pro.monthly"), account: HealingDesk.account, in: .sandbox)
        try await desk.fake.deliverDue()
        desk.fake.inject(InjectedFault(.code(4_040_003)))
        let report = try #require(try await desk.reconcile())
        #expect(report.stop == nil)
        #expect(report.histories.compactMap(\.problem).count == 1)
        #expect(report.histories.contains { $0.environment == .sandbox && $0.appended == 1 })
        try await desk.close()
    }

    // MARK: Instances

    @Test func anInstanceWaitsForTheOneThatIsAtIt() async throws {
        let desk = try await HealingDesk.make()
        let store = desk.server.store
        let other = try #require(
            try await store.takeReconcileLease(holder: "other", for: .seconds(60), hour: desk.fake.now)
        )
        #expect(try await desk.reconcile() == nil)
        // The other one is killed: its lease ends by itself.
        try await desk.execute("UPDATE entitled.reconcile_lease SET until = now() - interval '1 second'")
        #expect(try await desk.reconcile() != nil)
        #expect(try await store.keepReconcileLease(other, for: .seconds(60)) == false, "it has lost the lease")
        try await desk.close()
    }

    @Test func theHoursCallsAreThoseOfAllInstances() async throws {
        let desk = try await HealingDesk.make { $0?.reconciliation.callsPerHour = 1 }
        let other = try #require(
            try await desk.server.store.takeReconcileLease(holder: "other", for: .seconds(60), hour: desk.fake.now)
        )
        try await desk.server.store.giveBackReconcileLease(ReconcileLease(holder: "other", hour: other.hour, calls: 1))
        let report = try #require(try await desk.reconcile())
        #expect(report.calls == 0)
        #expect(report.stop != nil)
        try await desk.close()
    }

    // MARK: Out of reach

    @Test func whatAppleDoesNotKeepIsReportedAndSubscriptionsHealAllTheSame() async throws {
        let desk = try await HealingDesk.make()
        let line = try desk.fake.buy(.monthly("pro.monthly"), account: HealingDesk.account)
        try await desk.fake.deliverDue()
        _ = try await desk.reconcile()
        desk.setUp(false)
        try await desk.fake.advance(hours: 200 * 24)
        #expect(try await desk.differences().count == 1)
        let report = try #require(try await desk.reconcile())
        let gap = try #require(report.histories.first { $0.environment == .production }?.outOfReach)
        #expect(gap.until.milliseconds - gap.from.milliseconds >= 20 * 86_400_000)
        #expect(try await desk.differences() == [])
        let known = try await desk.server.store.snapshot(ofLine: line, in: .production)
        #expect(known.account.lines.first?.id.originalTransactionID == line)
        try await desk.close()
    }

    // MARK: Suspicious lines

    @Test func anOverdueRenewalIsAskedForOnceAndThenNotForAWhile() async throws {
        let desk = try await HealingDesk.make()
        try desk.fake.buy(.monthly("pro.monthly"), account: HealingDesk.account)
        try await desk.fake.deliverDue()
        _ = try await desk.reconcile()
        desk.setUp(false)
        try await desk.fake.advance(hours: 3 * Self.month)
        // The history is of no help.
        desk.fake.inject(InjectedFault(.code(4_040_003), path: "notifications/history", times: nil))
        let report = try #require(try await desk.reconcile())
        #expect(report.asked == ["renewalOverdue": 1])
        #expect(report.appendedAboutLines > 1, "the periods between as well")
        #expect(try await desk.differences() == [])
        #expect(try await desk.duplicates() == 0)
        let again = try #require(try await desk.reconcile())
        #expect(again.asked == [:])
        try await desk.close()
    }

    @Test func aTokenThatMovedIsAskedAbout() async throws {
        let desk = try await HealingDesk.make()
        let line = try desk.fake.buy(.monthly("pro.monthly"), account: HealingDesk.account)
        try await desk.fake.deliverDue()
        // Set past the service.
        let client = ServerAPIClient(
            credentials: try HealingDesk.credentials.get().credentials,
            bundleID: "com.example.app",
            hosts: try #require(desk.configuration.appStore?.hosts),
            transport: URLSessionTransport(),
            reader: StatementReader(
                verifier: try SignedStatementVerifier(desk.configuration.verifier),
                policy: AppStorePolicy(apps: desk.configuration.apps)
            ),
            timing: ServerAPITiming(now: { [fake = desk.fake] in fake.now })
        )
        try await client.setAppAccountToken(AccountID(high: 9, low: 9), of: line)
        try await desk.fake.advance(hours: Self.month)
        let report = try #require(try await desk.reconcile())
        #expect(report.asked == ["ownerDisagrees": 1])
        #expect(try await desk.owns(HealingDesk.account, line), "a later token moves nothing")
        try await desk.close()
    }

    @Test func aRewoundLogIsFetchedAgain() async throws {
        let desk = try await HealingDesk.make()
        try desk.fake.buy(.monthly("pro.monthly"), account: HealingDesk.account)
        try await desk.fake.deliverDue()
        _ = try await desk.reconcile()
        try await desk.execute("UPDATE entitled.log_head SET epoch = epoch + 1")
        let report = try #require(try await desk.reconcile())
        let history = try #require(report.histories.first { $0.environment == .production })
        #expect(!history.onlyFailures)
        #expect(history.notifications == 1)
        #expect(history.appended == 0)
        try await desk.close()
    }
}
