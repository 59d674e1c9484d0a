package import EntitlementDomain
package import Foundation
package import Postgres
import Synchronization

/// Answers for every account under the rules in force and under other ones, from a fold of the log up to a cut: who would
/// gain and who would lose access.
package struct RuleComparison: Sendable {
    /// The policies in force.
    package var policy: Policy
    /// The other rules; nil: the ones in force.
    package var otherCatalog: Catalog?
    package var otherPolicy: Policy?
    /// The instant that is asked about.
    package var instant: Instant
    /// What was known; nil: everything.
    package var knownAt: KnownAt?
    /// Only accounts of this environment; nil: all.
    package var environment: StoreEnvironment?
    /// Only this account; nil: all.
    package var account: AccountID?
    package var sessions: Int
    package var workDirectory: URL
    package var memoryLimit = 128 << 20
    /// The most changes that are listed; all are counted.
    package var limit = 1_000

    /// Events in one bucket; fewer in tests.
    var bucketLength: Int64 = 16_384

    package init(policy: Policy, instant: Instant, sessions: Int, workDirectory: URL) {
        self.policy = policy
        self.instant = instant
        self.sessions = sessions
        self.workDirectory = workDirectory
    }

    /// - Throws: `StoreError.failed` for a log that is not whole, `positionNotReached` for a cut beyond its end;
    ///   `PostgresError`.
    package func compare(
        _ configuration: PostgresConfiguration,
        progress: @escaping @Sendable (AuditProgress) -> Void = { _ in }
    ) async throws -> RuleReport {
        let settings = LogScan.Settings(
            directory: workDirectory.appendingPathComponent("entitled-replay-\(UUID())", isDirectory: true),
            memoryLimit: memoryLimit / 2,
            bucketLength: bucketLength
        )
        defer { try? FileManager.default.removeItem(at: settings.directory) }
        let knownAt = knownAt
        let scan = try await SnapshotTeam.run(
            configuration,
            count: sessions,
            prepare: { session in
                var extent = try LogExtent.read(session)
                if let knownAt {
                    extent.head.position = try LogCut.position(of: knownAt, session).number
                }
                return LogScan(extent, settings: settings)
            },
            body: { session, scan in try scan.read(session, progress: progress) }
        )
        let owned = Spill(
            "owned",
            bucketCount: scan.bucketCount,
            directory: settings.directory,
            memoryLimit: settings.memoryLimit / 2
        )
        let pseudonyms = try await pseudonyms(configuration)
        try await fold(scan, into: owned, of: pseudonyms, progress)
        let catalog = try await catalog(at: scan.catalogPositions.last, configuration)
        return try await named(try await answer(scan, owned, of: pseudonyms, catalog, progress), configuration)
    }

    private func catalog(at position: Int64?, _ configuration: PostgresConfiguration) async throws -> Catalog {
        try await PostgresThread.withSession(configuration) { try GenerationSwitch.catalog(at: position, $0) }
    }

    private func pseudonyms(_ configuration: PostgresConfiguration) async throws -> Set<AccountID>? {
        guard let account else { return nil }
        let environment = environment
        return try await PostgresThread.withSession(configuration) {
            try NameReader.pseudonyms(of: account, in: environment, $0)
        }
    }

    /// Writes accounts over the pseudonyms of the changes, and sorts them.
    private func named(_ report: RuleReport, _ configuration: PostgresConfiguration) async throws -> RuleReport {
        let pseudonyms = Set(report.changes.map(\.account))
        let accounts = try await PostgresThread.withSession(configuration) { try NameReader.accounts(pseudonyms, $0) }
        var report = report
        for index in report.changes.indices {
            report.changes[index].account = accounts[report.changes[index].account] ?? report.changes[index].account
        }
        report.changes.sort {
            ($0.environment, $0.account, $0.entitlement) < ($1.environment, $1.account, $1.entitlement)
        }
        return report
    }

    private func fold(
        _ scan: LogScan,
        into owned: Spill,
        of pseudonyms: Set<AccountID>?,
        _ progress: @escaping @Sendable (AuditProgress) -> Void
    ) async throws {
        let total = scan.extent.head.position
        try await WorkQueue.run(scan.bucketCount, workers: sessions) { bucket, queue in
            let events = try scan.foldLines(inBucket: bucket) { line in
                guard let owner = line.owner, concerns(owner, line.state.id.environment, pseudonyms) else { return }
                try owned.append(OwnedLine(owner: owner, line: line.state).encoded, hash: KeyHash.of(owner))
            }
            progress(AuditProgress(phase: "folding the lines", done: queue.finish(events), total: total))
        }
    }

    private func answer(
        _ scan: LogScan,
        _ owned: Spill,
        of pseudonyms: Set<AccountID>?,
        _ catalog: Catalog,
        _ progress: @escaping @Sendable (AuditProgress) -> Void
    ) async throws -> RuleReport {
        let report = Mutex(
            RuleReport(
                position: scan.extent.head.logPosition,
                instant: instant,
                eventCount: scan.extent.head.position
            )
        )
        let total = Int64(scan.bucketCount)
        try await WorkQueue.run(scan.bucketCount, workers: sessions) { bucket, queue in
            var lines: [LogFold.AccountKey: [LineState]] = [:]
            try owned.rows(of: bucket).readAll { _, row in
                let line = try OwnedLine(row)
                lines[line.key, default: []].append(line.line)
            }
            owned.drop(bucket)
            let states = try scan.foldAccounts(inBucket: bucket)
            for key in Set(lines.keys).union(states.keys) where concerns(key.account, key.environment, pseudonyms) {
                let account = Account(lines: lines[key] ?? [], state: states[key]?.state ?? AccountState())
                let before = account.answer(at: instant, catalog: catalog, policy: policy)
                let after = account.answer(
                    at: instant,
                    catalog: otherCatalog ?? catalog,
                    policy: otherPolicy ?? policy
                )
                let changes = AccessChange.all(key, before: before, after: after)
                report.withLock { report in
                    report.accountCount += 1
                    for change in changes { report.counts[change.kind, default: 0] += 1 }
                    report.changes += changes.prefix(max(limit - report.changes.count, 0))
                }
            }
            progress(AuditProgress(phase: "answering for the accounts (parts)", done: queue.finish(1), total: total))
        }
        return report.withLock { $0 }
    }

    private func concerns(
        _ pseudonym: AccountID,
        _ environment: StoreEnvironment,
        _ pseudonyms: Set<AccountID>?
    ) -> Bool {
        (pseudonyms?.contains(pseudonym) ?? true) && (self.environment ?? environment) == environment
    }
}
