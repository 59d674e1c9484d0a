package import EntitlementDomain
package import Foundation
package import Postgres

/// Makes all projections anew from the log, beside the live ones, and puts them into their place in one transaction:
/// questions are answered and events appended all the while.
package struct ProjectionRebuild: Sendable {
    /// The company's policies, as the service runs with them: projection `entitlements` follows from them too.
    package var policy: Policy
    /// Sessions, and cores of this machine, that work side by side.
    package var sessions: Int
    /// Where files go when the log does not fit into memory: some 500 bytes for each event.
    package var workDirectory: URL
    /// Names the program that folds: a run that another one left is not resumed.
    package var program: String
    /// Bytes of events kept in memory before files are used.
    package var memoryLimit = 128 << 20

    /// Events in one bucket; fewer in tests.
    var bucketLength: Int64 = 16_384
    /// Positions read at once.
    var chunkLength: Int64 = 32_768
    /// How long another rebuild's end is waited for.
    var lockPatience: Duration = .seconds(10)
    /// Called between the steps; tests append meanwhile, or stop the run by an error.
    var onStep: @Sendable (Step) async throws -> Void = { _ in }

    enum Step: Sendable, Hashable {
        case read
        case folded(bucket: Int)
        case accounts
        case indexes
        case behind(Int64)
    }

    /// Lines written together.
    private static let groupLength = 2_000

    package init(policy: Policy, sessions: Int, workDirectory: URL, program: String) {
        self.policy = policy
        self.program = program
        self.sessions = sessions
        self.workDirectory = workDirectory
    }

    /// Runs as the owner of the database.
    ///
    /// - Throws: `AuditError` when another rebuild is under way and does not end within seconds, or something depends on the tables that cannot be moved;
    ///   `StoreError.failed` for a log that is not whole; `PostgresError`. The live projections are untouched then.
    package func run(
        _ configuration: PostgresConfiguration,
        progress: @escaping @Sendable (AuditProgress) -> Void = { _ in }
    ) async throws -> RebuildReport {
        let control = PostgresThread(configuration)
        let threads = (0..<max(sessions, 1)).map { _ in PostgresThread(configuration) }
        let result: Result<RebuildReport, any Error>
        do {
            result = .success(try await run(configuration, control, threads, progress))
        } catch {
            result = .failure(error)
        }
        await RebuildLock.release(control)
        for thread in threads + [control] { await thread.close() }
        return try result.get()
    }

    private func run(
        _ configuration: PostgresConfiguration,
        _ control: PostgresThread,
        _ threads: [PostgresThread],
        _ progress: @escaping @Sendable (AuditProgress) -> Void
    ) async throws -> RebuildReport {
        let run = try await begin(configuration, control, progress)
        do {
            try await onStep(.read)
            let catalog = try await control.run { session in
                try GenerationSwitch.catalog(at: run.scan.catalogPositions.last, session)
            }
            let writer = GenerationWriter(catalog: catalog, policy: policy)
            let lineCount = try await writeLines(run, writer, threads, progress)
            let accountCount = try await writeAccounts(run, writer, threads, progress)
            try await onStep(.accounts)
            try await makeIndexes(control, threads, progress)
            try await onStep(.indexes)
            let fileBytes = run.scan.lines.diskBytes + run.scan.accounts.diskBytes + run.scan.touches.diskBytes
            let position = try await GenerationSwitch(
                policy: policy,
                position: run.scan.extent.head.position,
                catalogs: run.scan.catalogPositions,
                catalog: catalog,
                onStep: onStep
            ).perform(control, with: threads, progress: progress)
            run.removeFiles()
            return RebuildReport(
                position: position,
                eventCount: run.scan.extent.head.position,
                lineCount: lineCount,
                accountCount: accountCount,
                fileBytes: Int64(fileBytes),
                isResumed: run.isResumed
            )
        } catch {
            if !run.isOnDisk { run.removeFiles() }
            throw error
        }
    }

    // MARK: Steps

    private func begin(
        _ configuration: PostgresConfiguration,
        _ control: PostgresThread,
        _ progress: @escaping @Sendable (AuditProgress) -> Void
    ) async throws -> RebuildRun {
        let (memoryLimit, bucketLength, chunkLength) = (memoryLimit, bucketLength, chunkLength)
        let settings: @Sendable (URL) -> LogScan.Settings = { directory in
            LogScan.Settings(
                directory: directory,
                memoryLimit: memoryLimit,
                bucketLength: bucketLength,
                chunkLength: chunkLength
            )
        }
        let (fingerprint, parent) = (fingerprint, workDirectory)
        try await RebuildLock(patience: lockPatience).take(control, progress: progress)
        let resumed = try await control.run { session -> RebuildRun? in
            let dependents = try session.query(GenerationTables.dependents, [.textArray(GenerationTables.names)])
            if !dependents.isEmpty {
                throw AuditError.dependents(try dependents.rows.map { try dependents.text($0, 0) })
            }
            if let run = try RebuildRun.resumed(fingerprint: fingerprint, in: parent, settings: settings, session) {
                return run
            }
            try session.execute(GenerationTables.create)
            return nil
        }
        if let resumed { return resumed }
        return try await RebuildRun.fresh(
            fingerprint: fingerprint,
            in: parent,
            settings: settings,
            sessions: sessions,
            configuration,
            control,
            progress: progress
        )
    }

    /// Of all that decides what the rows look like, besides the log. A run with another one starts over.
    private var fingerprint: String {
        "\(program), schema \(SchemaMigrator.version), layouts \(LineState.layoutVersion) \(AccountState.layoutVersion), "
            + "heads \(LineState.headLayoutVersion) \(EarlierTransaction.layoutVersion) \(LineState.recentPeriods), "
            + "\(policy.refundAccess) \(policy.renewalLeeway) \(policy.graceWithoutDate)"
    }

    private func writeLines(
        _ run: RebuildRun,
        _ writer: GenerationWriter,
        _ threads: [PostgresThread],
        _ progress: @escaping @Sendable (AuditProgress) -> Void
    ) async throws -> Int64 {
        let lines = WorkQueue(0)
        let total = run.scan.extent.head.position
        let onStep = onStep
        let queue = WorkQueue(run.scan.bucketCount)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in threads {
                group.addTask {
                    while let bucket = queue.next() {
                        let isWritten = run.written.contains(bucket)
                        let (events, count) = try await thread.run { session in
                            try Self.writeLines(of: bucket, run.scan, isWritten ? nil : writer, session)
                        }
                        _ = lines.finish(count)
                        progress(
                            AuditProgress(phase: "folding the lines", done: queue.finish(events), total: total)
                        )
                        try await onStep(.folded(bucket: bucket))
                    }
                }
            }
            try await group.waitForAll()
        }
        return lines.finish(0)
    }

    /// Folds a bucket, and writes its lines in one transaction with the note that it did.
    ///
    /// - Returns: the numbers of events and lines.
    private static func writeLines(
        of bucket: Int,
        _ scan: LogScan,
        _ writer: GenerationWriter?,
        _ session: PostgresSession
    ) throws -> (events: Int64, lines: Int64) {
        guard let writer else {
            var count: Int64 = 0
            return (try scan.foldLines(inBucket: bucket) { _ in count += 1 }, count)
        }
        return try session.transaction { session in
            var count: Int64 = 0
            var group: [FoldedLine] = []
            let events = try scan.foldLines(inBucket: bucket) { line in
                group.append(line)
                count += 1
                if group.count == groupLength {
                    try writer.write(group, session)
                    group.removeAll(keepingCapacity: true)
                }
            }
            try writer.write(group, session)
            try session.query(
                "INSERT INTO \(GenerationTables.schema).rebuild_buckets (bucket) VALUES ($1::integer)",
                [.int4(Int32(bucket))]
            )
            return (events, count)
        }
    }

    private func writeAccounts(
        _ run: RebuildRun,
        _ writer: GenerationWriter,
        _ threads: [PostgresThread],
        _ progress: @escaping @Sendable (AuditProgress) -> Void
    ) async throws -> Int64 {
        _ = try await threads[0].run { try $0.execute("TRUNCATE \(GenerationTables.schema).accounts") }
        let accounts = WorkQueue(0)
        let total = run.scan.bucketCount
        try await WorkQueue.run(total, on: threads) { bucket, queue, session in
            let folded = try run.scan.foldAccounts(inBucket: bucket)
            try writer.write(folded, session)
            _ = accounts.finish(Int64(folded.count))
            progress(
                AuditProgress(phase: "folding the accounts (parts)", done: queue.finish(1), total: Int64(total))
            )
        }
        return accounts.finish(0)
    }

    private func makeIndexes(
        _ control: PostgresThread,
        _ threads: [PostgresThread],
        _ progress: @escaping @Sendable (AuditProgress) -> Void
    ) async throws {
        let commands = try await control.run { session -> [String] in
            let found = try session.query(GenerationTables.definitions, [.textArray(GenerationTables.names)])
            return try found.rows.map { try found.text($0, 1) }
        }
        // Those of an interrupted run are made anew.
        _ = try await control.run { try $0.execute(GenerationTables.dropIndexes) }
        let total = Int64(commands.count + GenerationTables.names.count)
        try await WorkQueue.run(commands.count, on: threads) { number, queue, session in
            try session.execute("SET maintenance_work_mem = '256MB'")
            try session.execute(commands[number])
            progress(AuditProgress(phase: "making indexes", done: queue.finish(1), total: total))
        }
        let made = Int64(commands.count)
        try await WorkQueue.run(GenerationTables.names.count, on: threads) { number, queue, session in
            try session.execute("ANALYZE \(GenerationTables.schema).\(GenerationTables.names[number])")
            progress(AuditProgress(phase: "making indexes", done: made + queue.finish(1), total: total))
        }
    }
}
