import EntitlementDomain
import EntitlementService
import Foundation
import Simulator
import Testing

/// The service is away while notifications fail; afterwards nothing is missing and nothing is there twice.
struct ReconcileOutageTests {
    /// 10,000 with ENTITLED_LONG, which `make test-long` sets.
    private static let isLong = ProcessInfo.processInfo.environment["ENTITLED_LONG"] != nil

    @Test func everyAccountIsRightAfterTwoDaysWithoutTheService() async throws {
        let desk = try await HealingDesk.make()
        let customers = Self.isLong ? 3_000 : 200
        // Twelve hours each, so that two days bring four renewals.
        let plan = FakeProduct(
            "pro.monthly",
            .autoRenewable,
            group: "20001",
            period: CalendarDuration(milliseconds: 12 * 3_600_000)
        )
        var lines: [String] = []
        for index in 0..<customers {
            lines.append(try desk.fake.buy(plan, account: AccountID(high: 1, low: UInt64(index))))
        }
        try await desk.fake.deliverDue()
        #expect(try await desk.differences() == [])
        _ = try await desk.reconcile()

        desk.setUp(false)
        let before = desk.fake.notifications().count
        // What customers do meanwhile, at a different hour each.
        for (index, line) in lines.enumerated() {
            switch index % 10 {
            case 1: try desk.fake.setAutoRenew(false, of: line)
            case 2: try desk.fake.setCard(declined: true, of: line)
            case 3: try desk.fake.refund(line)
            default: break
            }
        }
        try await desk.fake.advance(hours: 20)
        for (index, line) in lines.enumerated() where index % 20 == 2 {
            try desk.fake.setCard(declined: false, of: line)
        }
        try await desk.fake.advance(hours: 28)
        let failed = desk.fake.notifications().dropFirst(before)
        #expect(failed.allSatisfy { !$0.results.contains("SUCCESS") })
        if Self.isLong { #expect(failed.count >= 10_000) }
        #expect(try await desk.differences().count > customers / 2)

        // The service starts again and reconciles.
        desk.setUp(true)
        let report = try #require(try await desk.reconcile())
        #expect(report.stop == nil)
        #expect(report.histories.allSatisfy { $0.problem == nil && $0.outOfReach == nil })
        let history = try #require(report.histories.first { !$0.onlyFailures && $0.environment == .production })
        #expect(history.appended == failed.count)
        #expect(try await desk.differences() == [])
        #expect(try await desk.duplicates() == 0)

        // The App Store's own repetitions come as well, and change nothing.
        let events = try await desk.count("SELECT count(*) FROM entitled.events")
        let known = desk.fake.notifications().count
        try await desk.fake.advance(hours: 11)
        let later = desk.fake.notifications().count - known
        let added = try await desk.count("SELECT count(*) FROM entitled.events") - events
        #expect(added == Int64(later))
        #expect(try await desk.duplicates() == 0)
        try await desk.close()
    }
}
