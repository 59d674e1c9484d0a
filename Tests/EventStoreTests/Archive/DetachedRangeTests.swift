import EntitlementDomain
import Foundation
import Postgres
import Synchronization
import TestKit
import Testing
import X509

@testable import EventStore

/// A range of the log that was archived and taken out of the database is treated as deploy/RETENTION.md says.
@Suite struct DetachedRangeTests {
    /// The first position of the second partition.
    private static let border: Int64 = 41

    @Test func aDetachedRangeIsMissedBySomeAndByNobodyElse() async throws {
        let seed = SeededGenerator.seedOfThisRun("aDetachedRangeIsMissedBySomeAndByNobodyElse")
        try await withTwoPartitions(seed) { database, store, statements in
            let configuration = PostgresConfiguration(connectionString: database.ownerConnectionString)
            let position = try await store.position()
            let account = Sample.account
            let answer = try await store.snapshot(ofAccount: account, in: .production).account
            let rows = try await database.owner { try LogRows($0) }
            let (first, archived) = try await export(database, to: Self.border - 1)
            try await database.owner {
                try $0.execute("ALTER TABLE entitled.events DETACH PARTITION entitled.events_00000 CONCURRENTLY")
            }

            // Answers for now are the same, and a statement of the detached range has had its effect.
            #expect(try await store.snapshot(ofAccount: account, in: .production).account == answer)
            for statement in statements { _ = try await store.append(.statement(statement, claim: nil)) }
            #expect(try await store.position() == position, "seed \(seed)")
            _ = try await store.append(.statement(Sample.upload(Sample.month("later")), claim: nil))

            // Verification finds the gap, and goes on behind it; an independent program agrees.
            let whole = try await ChainVerifier().verify(configuration, sessions: 2)
            #expect(whole.problem?.kind == .positionMissing)
            #expect(whole.problem?.message == "the events of positions 1 to \(Self.border - 1) are missing")
            var verifier = ChainVerifier(from: Self.border)
            verifier.previousHash = archived.lastHash
            #expect(try await verifier.verify(configuration, sessions: 2).holds)
            let checker = try await IndependentChecker.run(
                database,
                ["--first", "\(Self.border)", "--previous-hash", Hexadecimal.text(archived.lastHash)]
            )
            #expect(checker.status == 0, "\(checker.output)")

            // A time is still found in what is left of the log.
            let later = try await store.position(of: .time(Sample.day(10_000)))
            #expect(later == (try await store.position()))

            // What folds from nothing refuses to run, and says why.
            let one = AccountReplay(
                account: account,
                environment: .production,
                policy: Policy(),
                instant: Sample.day(9)
            )
            let replay = ProjectionReplay(policy: Policy(), sessions: 1, workDirectory: directory)
            let refusals: [() async throws -> Void] = [
                { _ = try await rebuild.run(configuration) }, { _ = try await replay.compare(configuration) },
                { _ = try await one.compare(configuration) },
                {
                    _ = try await store.snapshot(
                        of: .account(account),
                        in: .production,
                        knownAt: .position(position)
                    )
                },
            ]
            for refusal in refusals {
                let error = await #expect(throws: StoreError.self) { try await refusal() }
                guard case .archived? = error else {
                    Issue.record("\(String(describing: error)) does not say that events were archived")
                    continue
                }
                #expect(error?.description.contains("the log is not whole") == true, "\(String(describing: error))")
                #expect(error?.description.contains("attach archived ranges again") == true)
            }
            #expect(try await store.snapshot(ofAccount: account, in: .production).account == answer)

            // The rest is exported behind the archive's last hash, and by no other.
            await #expect(throws: AuditError.previousHashNeeded(from: Self.border)) { _ = try await export(database) }
            await #expect(throws: AuditError.previousHashWrong(from: Self.border)) {
                _ = try await export(database, previousHash: ChainWalk.zeros)
            }
            let (rest, _) = try await export(database, previousHash: archived.lastHash)
            try await StoreDatabase.with { copy in
                let place = Mutex((archive: 0, line: 0))
                let archives = [first, rest]
                _ = try await LogImport().run(
                    PostgresConfiguration(connectionString: copy.ownerConnectionString),
                    archiveCount: 2,
                    nextLine: {
                        place.withLock { place in
                            guard place.line < archives[place.archive].count else {
                                place = (place.archive + 1, 0)
                                return nil
                            }
                            defer { place.line += 1 }
                            return archives[place.archive][place.line]
                        }
                    }
                )
                let moved = try await copy.owner { try LogRows($0) }
                #expect(Array(moved.hashes.dropLast()) == rows.hashes, "seed \(seed)")
            }

            // Attached again it is as before.
            try await database.owner {
                try $0.execute(
                    """
                    ALTER TABLE entitled.events ATTACH PARTITION entitled.events_00000
                        FOR VALUES FROM (0) TO (\(Self.border))
                    """
                )
            }
            #expect(try await ChainVerifier().verify(configuration, sessions: 2).holds)
            #expect(try await replay.compare(configuration).isEqual, "seed \(seed)")
            _ = try await rebuild.run(configuration)
            #expect(try await store.snapshot(ofAccount: account, in: .production).account == answer)
        }
    }

    // MARK: Support

    private var directory: URL { FileManager.default.temporaryDirectory }

    private var rebuild: ProjectionRebuild {
        ProjectionRebuild(policy: Policy(), sessions: 2, workDirectory: directory, program: "a test")
    }

    /// A random log across two partitions, and statements whose events are in the first.
    private func withTwoPartitions(
        _ seed: UInt64,
        _ body: (StoreDatabase, PostgresEventStore, [StatementRecord]) async throws -> Void
    ) async throws {
        try await StoreDatabase.with { database in
            try await database.owner {
                try $0.execute(
                    """
                    SET search_path = entitled;
                    ALTER TABLE events DETACH PARTITION events_00000;
                    CREATE TABLE events_rest (LIKE events_00000 INCLUDING ALL);
                    ALTER TABLE events ATTACH PARTITION events_00000 FOR VALUES FROM (0) TO (\(Self.border));
                    ALTER TABLE events ATTACH PARTITION events_rest FOR VALUES FROM (\(Self.border)) TO (16777216);
                    RESET search_path
                    """
                )
            }
            let store = database.makeStore()
            _ = try await store.append(.catalog(try Sample.catalog().canonicalJSON))
            let statements = (0..<10).map { Sample.upload(Sample.month("known", $0, token: Sample.account)) }
            for statement in statements { _ = try await store.append(.statement(statement, claim: nil)) }
            var work = RandomWork(seed: seed)
            var number = 0
            while try await store.position().number < Self.border + 40 {
                _ = try await store.append(work.request("\(number)"))
                number += 1
            }
            try await body(database, store, statements)
        }
    }

    private func export(
        _ database: StoreDatabase,
        to: Int64? = nil,
        previousHash: [UInt8]? = nil
    ) async throws -> (lines: [[UInt8]], report: LogExport.Report) {
        let written = Mutex<[UInt8]>([])
        var export = LogExport(to: to)
        export.previousHash = previousHash
        let report = try await export.run(
            PostgresConfiguration(connectionString: database.ownerConnectionString),
            write: { bytes in written.withLock { $0 += bytes } }
        )
        let lines = written.withLock { $0 }.split(separator: UInt8(ascii: "\n")).map(Array.init)
        return (lines, report)
    }
}
