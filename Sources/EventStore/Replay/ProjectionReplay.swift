package import EntitlementDomain
package import Foundation
package import Postgres

/// Folds the whole log from nothing, beside the running service, and compares the result with the live projections. Both
/// are read within one snapshot; nothing is written and no lock is taken that others wait for.
package struct ProjectionReplay: Sendable {
    /// The company's policies, as the service runs with them.
    package var policy: Policy
    package var sessions: Int
    /// Where files go when the log does not fit into memory.
    package var workDirectory: URL
    package var memoryLimit = 128 << 20
    /// The most differences that are listed; all are counted.
    package var limit = 1_000

    /// Events in one bucket; fewer in tests.
    var bucketLength: Int64 = 16_384

    /// Positions listed behind a difference.
    static let eventLimit: Int64 = 20

    package init(policy: Policy, sessions: Int, workDirectory: URL) {
        self.policy = policy
        self.sessions = sessions
        self.workDirectory = workDirectory
    }

    private struct Plan: Sendable {
        var scan: LogScan
        var live: LiveRows
        /// Those that the rows of `entitlements` may follow.
        var catalogs: [Catalog]
    }

    /// - Throws: `StoreError.failed` for a log that is not whole; `PostgresError`.
    package func compare(
        _ configuration: PostgresConfiguration,
        progress: @escaping @Sendable (AuditProgress) -> Void = { _ in }
    ) async throws -> ReplayReport {
        let settings = LogScan.Settings(
            directory: workDirectory.appendingPathComponent("entitled-replay-\(UUID())", isDirectory: true),
            memoryLimit: memoryLimit / 2,
            bucketLength: bucketLength
        )
        defer { try? FileManager.default.removeItem(at: settings.directory) }
        let findings = ReplayFindings(limit: limit)
        let plan = try await SnapshotTeam.run(
            configuration,
            count: sessions,
            prepare: { session in
                let extent = try LogExtent.read(session)
                try extent.requireBeginning()
                let scan = LogScan(extent, settings: settings)
                return Plan(
                    scan: scan,
                    live: LiveRows(beside: scan, settings: settings),
                    catalogs: try ReplayStatements.catalogsInForce(session)
                )
            },
            body: { session, plan in
                try plan.live.read(session)
                try plan.scan.read(session, progress: progress)
            }
        )
        try await compareLines(plan, findings, progress)
        try await compareAccounts(plan, findings, progress)
        return try await withEvents(
            findings.report(at: plan.scan.extent.head.logPosition, events: plan.scan.extent.head.position),
            plan.scan.catalogPositions,
            configuration
        )
    }

    /// Compares bucket by bucket on several threads; no session is needed.
    private func compareLines(
        _ plan: Plan,
        _ findings: ReplayFindings,
        _ progress: @escaping @Sendable (AuditProgress) -> Void
    ) async throws {
        let total = plan.scan.extent.head.position
        let policy = policy
        try await WorkQueue.run(plan.scan.bucketCount, workers: sessions) { bucket, queue in
            var live = try plan.live.lines(inBucket: bucket)
            var count: Int64 = 0
            let events = try plan.scan.foldLines(inBucket: bucket) { line in
                count += 1
                let id = line.state.id
                let rows = live.removeValue(forKey: id) ?? LiveLine()
                let found = rows.differences(id, from: line, catalogs: plan.catalogs, policy: policy)
                if !found.isEmpty { findings.add(found) }
            }
            for (id, rows) in live {
                findings.add(rows.differences(id, from: nil, catalogs: plan.catalogs, policy: policy))
            }
            findings.add([], lines: count)
            progress(AuditProgress(phase: "comparing the lines", done: queue.finish(events), total: total))
        }
    }

    private func compareAccounts(
        _ plan: Plan,
        _ findings: ReplayFindings,
        _ progress: @escaping @Sendable (AuditProgress) -> Void
    ) async throws {
        let total = Int64(plan.scan.bucketCount)
        try await WorkQueue.run(plan.scan.bucketCount, workers: sessions) { bucket, queue in
            let live = try plan.live.accounts(inBucket: bucket)
            let folded = try plan.scan.foldAccounts(inBucket: bucket)
            for key in Set(live.keys).union(folded.keys) {
                let found = LiveAccount.differences(key, live[key], from: folded[key])
                if !found.isEmpty { findings.add(found) }
            }
            findings.add([], accounts: Int64(folded.count))
            progress(AuditProgress(phase: "comparing the accounts (parts)", done: queue.finish(1), total: total))
        }
    }

    /// Adds what the catalogs' table says, and the events behind each difference.
    private func withEvents(
        _ report: ReplayReport,
        _ catalogs: [Int64],
        _ configuration: PostgresConfiguration
    ) async throws -> ReplayReport {
        try await PostgresThread.withSession(configuration) { session in
            var report = report
            let found = try ReplayStatements.catalogDifferences(catalogs, upTo: report.position.number, session)
            report.differenceCount += Int64(found.count)
            report.differences += found
            report.differences = try ReplayStatements.withAccounts(
                try ReplayStatements.withEvents(report.differences, session),
                session
            )
            return report
        }
    }
}
