import EntitlementDomain
import Foundation
import Postgres
import StoreTesting
import Synchronization
import Testing

@testable import EventStore

/// A rebuild that something is in the way of: it waits no longer than it must, and says so.
@Suite struct RebuildWaitingTests {
    /// The session of a rebuild that was killed holds its lock until the server notices.
    @Test func anotherRebuildThatEndsIsWaitedFor() async throws {
        try await StoreDatabase.with { database in
            _ = try await database.makeStore().append(.catalog(try Sample.catalog().canonicalJSON))
            let configuration = PostgresConfiguration(connectionString: database.ownerConnectionString)
            let dead = PostgresThread(configuration)
            try await RebuildLock(patience: .zero).take(dead) { _ in }
            let (waiting, isWaiting) = AsyncStream<Void>.makeStream()
            let rebuild = rebuild()
            let run = Task {
                try await rebuild.run(
                    configuration,
                    progress: { if $0.phase.hasPrefix("waiting for another rebuild") { isWaiting.yield() } }
                )
            }
            for await _ in waiting.prefix(1) { await dead.close() }
            #expect(try await run.value.eventCount == 1)
        }
    }

    @Test func anotherRebuildThatGoesOnEndsTheWait() async throws {
        try await StoreDatabase.with { database in
            let configuration = PostgresConfiguration(connectionString: database.ownerConnectionString)
            let other = PostgresThread(configuration)
            try await RebuildLock(patience: .zero).take(other) { _ in }
            var rebuild = rebuild()
            rebuild.lockPatience = .milliseconds(300)
            let impatient = rebuild
            let start = ContinuousClock.now
            await #expect(throws: AuditError.rebuildUnderWay) { _ = try await impatient.run(configuration) }
            #expect(ContinuousClock.now - start >= .milliseconds(300))
            await RebuildLock.release(other)
            _ = try await impatient.run(configuration)
            await other.close()
        }
    }

    /// A run that is killed while it reads cannot be resumed; what it wrote is as large as the log.
    @Test func whatAKilledRunLeftIsRemoved() async throws {
        try await StoreDatabase.with { database in
            _ = try await database.makeStore().append(.catalog(try Sample.catalog().canonicalJSON))
            let prefix = try await database.owner { try RebuildDirectory.prefix($0) }
            let parent = FileManager.default.temporaryDirectory.appendingPathComponent("rebuild-\(UUID())")
            func left() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: parent.path).sorted() }
            var dead: RebuildDirectory? = RebuildDirectory(of: UUIDBytes(high: 1, low: 1), prefix: prefix, in: parent)
            try Data([1]).write(to: #require(dead).url.appendingPathComponent("lines-0"))
            let alive = RebuildDirectory(of: UUIDBytes(high: 2, low: 2), prefix: prefix, in: parent)
            let other = RebuildDirectory(of: UUIDBytes(high: 3, low: 3), prefix: "entitled-rebuild-x-", in: parent)
            #expect(try left().count == 3)
            dead = nil
            var rebuild = rebuild()
            rebuild.workDirectory = parent
            _ = try await rebuild.run(PostgresConfiguration(connectionString: database.ownerConnectionString))
            #expect(try left() == [alive, other].map(\.url.lastPathComponent).sorted())
            alive.remove()
            other.remove()
            try FileManager.default.removeItem(at: parent)
        }
    }

    /// PostgreSQL ends an automatic VACUUM that is in the way only after a wait of `deadlock_timeout`, which the switch
    /// itself never waits: see `VacuumPause`.
    @Test func anAutomaticVacuumDoesNotHoldUpTheSwitch() async throws {
        let server = try await PrivateServer.start(settings: ["autovacuum_naptime": "1s"])
        let database = StoreDatabase(
            owner: server.connectionString(user: "entitled", database: "postgres"),
            service: server.connectionString(user: "entitled_service", database: "postgres")
        )
        try await database.owner { try SchemaMigrator.migrate($0) }
        let store = database.makeStore()
        _ = try await store.append(.catalog(try Sample.catalog().canonicalJSON))
        _ = try await store.append(.statement(Sample.upload(Sample.month("1")), claim: nil))
        // A vacuum of this table takes minutes: it sleeps for a tenth of a second at each page.
        try await database.owner { session in
            try session.execute(
                """
                ALTER TABLE entitled.lines SET (autovacuum_vacuum_threshold = 1, autovacuum_vacuum_scale_factor = 0,
                    autovacuum_vacuum_cost_delay = 100, autovacuum_vacuum_cost_limit = 1);
                INSERT INTO entitled.lines (line_id, environment, bundle_id, store, ownership, position, state)
                    SELECT 'x' || i, environment, bundle_id, store, ownership, position, state || decode(repeat('00', 200), 'hex')
                    FROM entitled.lines, generate_series(1, 20000) AS i;
                DELETE FROM entitled.lines WHERE line_id LIKE 'x%'
                """
            )
        }
        let vacuums = "SELECT count(*) FROM pg_stat_progress_vacuum WHERE relid = 'entitled.lines'::regclass"
        let isRunning = try await eventually { try await database.count(vacuums) == 1 }
        try #require(isRunning, "no automatic VACUUM began")
        let start = ContinuousClock.now
        let report = try await rebuild().run(
            PostgresConfiguration(connectionString: database.ownerConnectionString)
        )
        #expect(ContinuousClock.now - start < .seconds(30))
        #expect(report.lineCount == 1)
        #expect(try await database.count("SELECT count(*) FROM entitled.lines") == 1)
        // Storage settings move along.
        let settings = """
            SELECT count(*) FROM pg_class
            WHERE oid = 'entitled.lines'::regclass AND reloptions::text LIKE '%vacuum_cost_limit%'
            """
        #expect(try await database.count(settings) == 1)
        await database.close()
        try await server.remove()
    }

    private func rebuild() -> ProjectionRebuild {
        ProjectionRebuild(
            policy: Policy(),
            sessions: 2,
            workDirectory: FileManager.default.temporaryDirectory,
            program: "a test"
        )
    }
}
