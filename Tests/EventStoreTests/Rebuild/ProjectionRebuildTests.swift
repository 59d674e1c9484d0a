import EntitlementDomain
import Foundation
import Postgres
import Synchronization
import TestKit
import Testing

@testable import EventStore

/// Law 11: rebuilding from the log gives the same projections as the live path, byte for byte, and nobody notices.
@Suite struct ProjectionRebuildTests {
    private struct Stopped: Error {}

    @Test(arguments: [(Int64(1_000_000), 256 << 20), (7, 256 << 20), (7, 4_096)])
    func theNewGenerationIsTheLiveOne(bucketLength: Int64, memoryLimit: Int) async throws {
        let seed = SeededGenerator.seedOfThisRun("theNewGenerationIsTheLiveOne")
        try await RandomLog.with(seed) { database, _ in
            let live = try await database.owner { try ProjectedRows($0).tables }
            let shape = try await database.owner { try TableShape($0) }
            var rebuild = rebuild(bucketLength)
            rebuild.memoryLimit = memoryLimit
            let report = try await run(rebuild, database)
            #expect((report.fileBytes > 0) == (memoryLimit == 4_096))
            #expect(try await database.owner { try ProjectedRows($0).tables } == live, "seed \(seed)")
            #expect(try await database.owner { try TableShape($0) } == shape)
            #expect(report.lineCount == Int64(live["lines"]!.count))
            let accounts = ReferenceFold(try await database.events()).accountPositions
            #expect(report.accountCount == Int64(accounts.count))
            #expect(try await schemas(database) == ["entitled"])
            // Nothing is left of the files.
            let left = try FileManager.default.contentsOfDirectory(atPath: rebuild.workDirectory.path)
            #expect(left == [])
        }
    }

    @Test func damagedProjectionsAreMended() async throws {
        let seed = SeededGenerator.seedOfThisRun("damagedProjectionsAreMended")
        try await RandomLog.with(seed) { database, store in
            let live = try await database.owner { try ProjectedRows($0).tables }
            let catalog = try await store.catalogJSON()
            try await database.owner {
                try $0.execute(
                    """
                    UPDATE entitled.lines SET owner = NULL, state = '\\x00';
                    DELETE FROM entitled.entitlements WHERE entitlement = 'pro';
                    TRUNCATE entitled.accounts, entitled.former_owners;
                    DELETE FROM entitled.catalogs WHERE position = 1;
                    INSERT INTO entitled.catalogs VALUES (1000, '{}');
                    UPDATE entitled.catalogs SET catalog = '{}' WHERE position = (SELECT max(position)
                        FROM entitled.catalogs WHERE position < 1000)
                    """
                )
            }
            _ = try await run(rebuild(20), database)
            #expect(try await database.owner { try ProjectedRows($0).tables } == live, "seed \(seed)")
            #expect(try await database.makeStore().catalogJSON() == catalog)
            #expect(try await database.count("SELECT count(*) FROM entitled.catalogs") == 2)
        }
    }

    @Test func whoeverFollowsTheFeedHearsOfWhatWasMended() async throws {
        let seed = SeededGenerator.seedOfThisRun("whoeverFollowsTheFeedHearsOfWhatWasMended")
        try await RandomLog.with(seed) { database, store in
            // Two owners that no erasure of the random work knows.
            for number in 1...2 {
                let token = AccountID(high: 0x3333_3333_3333_4333, low: 0x8333_3333_3333_3330 | UInt64(number))
                let month = Sample.month("owned \(number)", token: token)
                _ = try await store.append(.statement(Sample.upload(month), claim: nil))
            }
            let all = try await store.changes(FeedQuery(limit: 1_000))
            // Nothing is to be mended: nobody hears of anything.
            _ = try await run(rebuild(20), database)
            #expect(try await store.changes(FeedQuery(after: all.position, limit: 1_000)).changes.isEmpty)
            // One account's line is damaged, another one is not in the feed at all.
            let accounts = try await database.owner { session in
                let found = try session.query(
                    """
                    SELECT DISTINCT l.owner, n.account FROM entitled.lines l
                    JOIN entitled.account_names n ON n.pseudonym = l.owner WHERE l.environment = 'Production'
                    """
                )
                return try found.rows.map {
                    (pseudonym: AccountID(try found.uuid($0, 0)), account: AccountID(try found.uuid($0, 1)))
                }
            }
            try #require(accounts.count >= 2)
            try await database.owner {
                try $0.execute(
                    """
                    UPDATE entitled.lines SET state = '\\x00' WHERE owner = '\(accounts[0].pseudonym)'
                        AND environment = 'Production';
                    DELETE FROM entitled.feed WHERE account = '\(accounts[1].pseudonym)' AND environment = 'Production'
                    """
                )
            }
            _ = try await run(rebuild(20), database)
            let page = try await store.changes(FeedQuery(after: all.position, limit: 1_000))
            #expect(Set(page.changes.map(\.account)) == Set(accounts[..<2].map(\.account)), "seed \(seed)")
            #expect(page.changes.count == 2)
            // The feed goes on behind them.
            let newcomer = AccountID(high: 0x3333_3333_3333_4333, low: 0x8333_3333_3333_333f)
            let month = Sample.month("new", token: newcomer)
            _ = try await store.append(.statement(Sample.upload(month), claim: nil))
            let next = try await store.changes(FeedQuery(after: page.position, limit: 1_000))
            #expect(next.changes.map(\.account) == [newcomer])
            // The clock's work finds them due, and settles when they are due again.
            let due = "SELECT count(*) FROM entitled.feed WHERE due_at <= now()"
            #expect(try await database.count(due) >= 2)
            let work = ClockWork(policy: Policy(), catalogs: store.catalogs)
            try await database.owner { session in
                let now = try session.query("SELECT clock_timestamp()").timestamp(0, 0)
                while try work.run(at: Instant(microseconds: now), session).hasMore {}
            }
            #expect(try await database.count(due) == 0)
        }
    }

    @Test func eventsThatComeMeanwhileAreIn() async throws {
        let seed = SeededGenerator.seedOfThisRun("eventsThatComeMeanwhileAreIn")
        try await RandomLog.with(seed) { database, store in
            let changed = try Sample.catalog(Sample.catalogText.replacing(#"["pro"]"#, with: #"["max"]"#))
            let work = Mutex(RandomWork(seed: seed &+ 1))
            let count = Mutex(0)
            var rebuild = rebuild(10)
            rebuild.onStep = { step in
                for _ in 0..<5 {
                    let number = count.withLock { count in
                        count += 1
                        return count
                    }
                    let request = work.withLock { $0.request("meanwhile \(number)") }
                    _ = try await store.append(request)
                }
                if step == .accounts { _ = try await store.append(.catalog(changed.canonicalJSON)) }
            }
            let report = try await run(rebuild, database)
            let position = try await store.position()
            #expect(report.position == position)
            #expect(report.eventCount < position.number)
            let events = try await database.events()
            let expected = ProjectedRows(events, catalog: changed.catalog, policy: Policy()).tables
            #expect(try await database.owner { try ProjectedRows($0).tables } == expected, "seed \(seed)")
            // The service goes on with the new tables.
            for number in 0..<20 { _ = try await store.append(work.withLock { $0.request("after \(number)") }) }
            let after = ProjectedRows(try await database.events(), catalog: changed.catalog, policy: Policy()).tables
            #expect(try await database.owner { try ProjectedRows($0).tables } == after, "seed \(seed)")
        }
    }

    @Test(arguments: [ProjectionRebuild.Step.read, .folded(bucket: 3), .accounts, .indexes, .behind(0)])
    func aStoppedRunIsResumed(step: ProjectionRebuild.Step) async throws {
        let seed = SeededGenerator.seedOfThisRun("aStoppedRunIsResumed")
        try await RandomLog.with(seed) { database, store in
            let live = try await database.owner { try ProjectedRows($0).tables }
            var rebuild = rebuild(20)
            rebuild.memoryLimit = 4_096
            rebuild.onStep = { if $0 == step { throw Stopped() } }
            await #expect(throws: Stopped.self) { _ = try await run(rebuild, database) }
            // The live generation is untouched, and serves.
            #expect(try await database.owner { try ProjectedRows($0).tables } == live, "seed \(seed)")
            _ = try await store.append(.statement(Sample.upload(Sample.month("while it is down")), claim: nil))
            let now = try await database.owner { try ProjectedRows($0).tables }
            rebuild.onStep = { _ in }
            var other = rebuild
            other.program = "another build"
            let report = try await run(step == .accounts ? other : rebuild, database)
            #expect(report.isResumed == (step != .accounts))
            #expect(try await database.owner { try ProjectedRows($0).tables } == now, "seed \(seed)")
        }
    }

    @Test func filesThatAreGoneStartItOver() async throws {
        let seed = SeededGenerator.seedOfThisRun("filesThatAreGoneStartItOver")
        try await RandomLog.with(seed) { database, _ in
            let live = try await database.owner { try ProjectedRows($0).tables }
            var rebuild = rebuild(20)
            rebuild.memoryLimit = 4_096
            rebuild.onStep = { if $0 == .accounts { throw Stopped() } }
            await #expect(throws: Stopped.self) { _ = try await run(rebuild, database) }
            try FileManager.default.removeItem(at: rebuild.workDirectory)
            rebuild.onStep = { _ in }
            #expect(try await run(rebuild, database).isResumed == false)
            #expect(try await database.owner { try ProjectedRows($0).tables } == live, "seed \(seed)")
        }
    }

    @Test func questionsAreAnsweredAllAlong() async throws {
        let seed = SeededGenerator.seedOfThisRun("questionsAreAnsweredAllAlong")
        try await RandomLog.with(seed) { database, store in
            let account = Sample.account
            let facts = try await store.snapshot(ofAccount: account, in: .production).account
            let isDone = Mutex(false)
            let reader = Task {
                var count = 0
                while !isDone.withLock({ $0 }) {
                    let snapshot = try await store.snapshot(ofAccount: account, in: .production)
                    if snapshot.account != facts { return -1 }
                    count += 1
                }
                return count
            }
            for _ in 0..<3 { _ = try await run(rebuild(20), database) }
            isDone.withLock { $0 = true }
            #expect(try await reader.value > 0)
        }
    }

    @Test func aReaderThatStaysLongDelaysTheSwitchOnly() async throws {
        let seed = SeededGenerator.seedOfThisRun("aReaderThatStaysLongDelaysTheSwitchOnly")
        try await RandomLog.with(seed) { database, store in
            let live = try await database.owner { try ProjectedRows($0).tables }
            let long = PostgresThread(PostgresConfiguration(connectionString: database.ownerConnectionString))
            let (waiting, isWaiting) = AsyncStream<Void>.makeStream()
            // Held here until the rebuild has met the reader.
            let gate = PostgresThread(PostgresConfiguration(connectionString: database.ownerConnectionString))
            _ = try await gate.run { try $0.query("SELECT pg_advisory_lock(4711)").rowCount }
            let reader = Task {
                try await long.run { session in
                    try session.transaction(.snapshot) { session in
                        try session.query("SELECT count(*) FROM entitled.lines")
                        // Until the rebuild says that it waits.
                        try session.query("SELECT pg_advisory_xact_lock_shared(4711)")
                    }
                }
            }
            let isBlocked = try await eventually {
                try await database.count("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted")
                    == 1
            }
            try #require(isBlocked)
            let rebuild = rebuild(20)
            let run = Task {
                try await rebuild.run(
                    PostgresConfiguration(connectionString: database.ownerConnectionString),
                    progress: { if $0.phase.hasPrefix("waiting") { isWaiting.yield() } }
                )
            }
            for await _ in waiting.prefix(1) {
                _ = try await store.append(.statement(Sample.upload(Sample.month("while it waits")), claim: nil))
            }
            _ = try await gate.run { try $0.query("SELECT pg_advisory_unlock(4711)").rowCount }
            try await reader.value
            _ = try await run.value
            await long.close()
            await gate.close()
            let now = try await database.owner { try ProjectedRows($0).tables }
            #expect(now["lines"]!.count == live["lines"]!.count + 1)
        }
    }

    @Test func viewsOfTheProjectionsMoveAlong() async throws {
        let seed = SeededGenerator.seedOfThisRun("viewsOfTheProjectionsMoveAlong")
        try await RandomLog.with(seed) { database, store in
            try await database.owner {
                try $0.execute(
                    """
                    CREATE SCHEMA reports;
                    CREATE VIEW reports.active WITH (security_barrier) AS
                        SELECT l.owner, e.entitlement FROM entitled.entitlements e
                        JOIN entitled.lines l USING (line_id, environment, bundle_id, store, ownership);
                    CREATE VIEW reports.owners AS SELECT DISTINCT owner FROM reports.active;
                    GRANT SELECT ON reports.owners TO entitled_service
                    """
                )
            }
            let sql = "SELECT count(*) FROM reports.owners"
            let count = try await database.count(sql)
            _ = try await run(rebuild(20), database)
            #expect(try await database.count(sql) == count)
            #expect(try await database.count("SELECT count(*) FROM reports.active WHERE owner IS NULL") >= 0)
            let options = try await database.owner {
                try $0.query("SELECT reloptions::text FROM pg_class WHERE oid = 'reports.active'::regclass").text(0, 0)
            }
            #expect(options.contains("security_barrier"))
            try await database.owner {
                try $0.execute("CREATE MATERIALIZED VIEW reports.kept AS SELECT * FROM entitled.lines")
            }
            let error = await #expect(throws: AuditError.self) { _ = try await run(rebuild(20), database) }
            #expect(error?.description.contains("materialized view reports.kept") == true)
            #expect(try await store.position().number > 0)
        }
    }

    @Test func twoAtATimeAreRefusedAndALogWithAHoleIsToo() async throws {
        let seed = SeededGenerator.seedOfThisRun("twoAtATimeAreRefusedAndALogWithAHoleIsToo")
        try await RandomLog.with(seed) { database, _ in
            var first = rebuild(20)
            var second = rebuild(20)
            second.lockPatience = .milliseconds(200)
            let impatient = second
            first.onStep = { step in
                guard step == .accounts else { return }
                await #expect(throws: AuditError.rebuildUnderWay) { _ = try await run(impatient, database) }
            }
            _ = try await run(first, database)
            let live = try await database.owner { try ProjectedRows($0).tables }
            try await database.owner {
                try Tampering("", "DELETE FROM entitled.events WHERE position = 5").perform($0)
            }
            let error = await #expect(throws: StoreError.self) { _ = try await run(second, database) }
            #expect(error?.description.contains("not whole") == true)
            #expect(try await database.owner { try ProjectedRows($0).tables["lines"] } == live["lines"])
        }
    }

    @Test func theFoldTellsWhetherAnythingChanged() {
        let seed = SeededGenerator.seedOfThisRun("theFoldTellsWhetherAnythingChanged")
        var random = RandomFacts(generator: SeededGenerator(seed: seed), lines: 1)
        var line = LineState(id: Sample.lineID("1"))
        var seen: [StatementFacts] = []
        var count = (changed: 0, same: 0)
        for number in 0..<2_000 {
            let facts = number % 3 == 0 && !seen.isEmpty ? seen[number % seen.count] : random.facts()
            seen.append(facts)
            let before = line
            let isChanged = line.apply(facts, announces: number % 2 == 0)
            #expect(isChanged == (before != line), "seed \(seed), number \(number)")
            if isChanged { count.changed += 1 } else { count.same += 1 }
            let link = OwnerLink(account: Sample.account, position: Int64(number % 50))
            let linked = line
            #expect(line.apply(link) == (linked != line))
        }
        #expect(count.changed > 100 && count.same > 100)
    }

    // MARK: Support

    private func rebuild(_ bucketLength: Int64) -> ProjectionRebuild {
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent("rebuild-\(UUID())")
        try? FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        var rebuild = ProjectionRebuild(policy: Policy(), sessions: 3, workDirectory: directory, program: "a test")
        rebuild.bucketLength = bucketLength
        rebuild.chunkLength = 13
        return rebuild
    }

    private func run(_ rebuild: ProjectionRebuild, _ database: StoreDatabase) async throws -> RebuildReport {
        try await rebuild.run(PostgresConfiguration(connectionString: database.ownerConnectionString))
    }

    private func schemas(_ database: StoreDatabase) async throws -> [String] {
        try await database.owner { session in
            let found = try session.query("SELECT nspname::text FROM pg_namespace WHERE nspname LIKE 'entitled%'")
            return try found.rows.map { try found.text($0, 0) }
        }
    }
}
