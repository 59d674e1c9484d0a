import EntitlementDomain
import EventStore
import Foundation
import Postgres
import PostgresTesting
import StoreTesting
import TestKit
import Testing

@Suite struct SchemaMigratorTests {
    @Test func aSecondRunChangesNothing() async throws {
        try await withEmptyDatabase { owner in
            try await owner.run { try SchemaMigrator.migrate($0) }
            let first = try await owner.run { try SchemaDescription($0) }
            try await owner.run { try SchemaMigrator.migrate($0) }
            let second = try await owner.run { try SchemaDescription($0) }
            #expect(first == second)
            #expect(first.objects.count > 100)
            try await owner.run { try SchemaMigrator.check($0) }
        }
    }

    @Test func aSecondRunKeepsWhatIsStored() async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            _ = try await store.append(.statement(Sample.upload(Sample.month("1")), claim: Sample.account))
            let before = try await database.events()
            try await database.owner { try SchemaMigrator.migrate($0) }
            #expect(try await database.events() == before)
            let outcome = try await store.append(.statement(Sample.upload(Sample.month("1", 1)), claim: nil))
            #expect(outcome.head.number == 3)
        }
    }

    /// Else a VACUUM would show the room on old pages, and shorter events would go there.
    @Test func noPartitionOfTheLogIsVacuumedForInsertions() async throws {
        try await StoreDatabase.with { database in
            try await database.owner { _ = try $0.query("SELECT entitled.ensure_events_partition(1 << 30)") }
            let partitions =
                "SELECT count(*) FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE inhparent = "
                + "'entitled.events'::regclass"
            let setting = "'autovacuum_vacuum_insert_threshold=-1' = ANY (c.reloptions)"
            #expect(try await database.count(partitions) == 2)
            #expect(try await database.count("\(partitions) AND \(setting)") == 2)
        }
    }

    /// The same of the two other tables whose rows differ in length and mostly come to stay.
    @Test(arguments: ["lines", "evidence"]) func rowsThatComeToStayLieBehindEachOther(table: String) async throws {
        try await StoreDatabase.with { database in
            let rows = """
                SELECT count(*) FROM pg_class WHERE oid = 'entitled.\(table)'::regclass
                AND 'autovacuum_vacuum_insert_threshold=-1' = ANY (reloptions)
                """
            let count = try await database.count(rows)
            #expect(count == 1)
        }
    }

    /// So that new accounts lie side by side in the indexes.
    @Test func pseudonymsBeginWithTheTime() async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            for (number, account) in [Sample.account, Sample.otherAccount].enumerated() {
                _ = try await store.append(.statement(Sample.upload(Sample.month("\(number)")), claim: account))
                try await Task.sleep(for: .milliseconds(3))
            }
            let pseudonyms = [
                try await database.pseudonym(of: Sample.account), try await database.pseudonym(of: Sample.otherAccount),
            ]
            .compactMap { $0?.description }
            #expect(pseudonyms.count == 2)
            for pseudonym in pseudonyms {
                #expect(pseudonym.split(separator: "-")[2].hasPrefix("7"))
            }
            #expect(
                try await database.count("SELECT count(DISTINCT left(pseudonym::text, 6)) FROM entitled.account_names")
                    == 1
            )
        }
    }

    @Test func aDatabaseOfVersion1IsBroughtOn() async throws {
        let seed = SeededGenerator.seedOfThisRun("aDatabaseOfVersion1IsBroughtOn")
        try await RandomLog.with(seed) { database, _ in
            let now = try await database.owner { try ProjectedRows($0).tables }
            try await database.owner { session in
                try session.execute(
                    """
                    CREATE TABLE entitled.line_owners (LIKE entitled.former_owners INCLUDING ALL);
                    INSERT INTO entitled.line_owners (account, environment, line_id, bundle_id, store, ownership)
                        SELECT account, environment, line_id, bundle_id, store, ownership FROM entitled.former_owners
                        UNION SELECT owner, environment, line_id, bundle_id, store, ownership FROM entitled.lines
                        WHERE owner IS NOT NULL;
                    DROP TABLE entitled.former_owners;
                    ALTER TABLE entitled.accounts ALTER COLUMN state DROP NOT NULL;
                    UPDATE entitled.accounts SET position = position + 1000;
                    INSERT INTO entitled.accounts (environment, account, position)
                        SELECT DISTINCT environment, owner, 1::bigint FROM entitled.lines WHERE owner IS NOT NULL
                        ON CONFLICT DO NOTHING;
                    UPDATE entitled.schema_version SET version = 1
                    """
                )
                try SchemaMigrator.migrate(session)
                try SchemaMigrator.check(session)
            }
            let found = try await database.owner { try ProjectedRows($0).tables }
            #expect(found["accounts"] == now["accounts"], "seed \(seed)")
            // Who lost a line and has it again is found by a rebuild only.
            #expect(found["former_owners"]!.isSubset(of: now["former_owners"]!), "seed \(seed)")
            #expect(try await database.count("SELECT count(*) FROM entitled.accounts WHERE state IS NULL") == 0)
            let left = try await database.owner { try $0.query("SELECT to_regclass('entitled.line_owners') IS NULL") }
            #expect(try left.bool(0, 0))
        }
    }

    @Test func anEmptyDatabaseIsRecognised() async throws {
        try await withEmptyDatabase { owner in
            let error = try await storeError { try await owner.run { try SchemaMigrator.check($0) } }
            guard case .schemaMismatch(found: nil, needed: SchemaMigrator.version)? = error else {
                Issue.record("\(error.map(\.description) ?? "no error")")
                return
            }
            #expect(error?.description.contains("entitled migrate") == true)
        }
    }

    @Test func aNewerDatabaseIsRefusedAndLeftAlone() async throws {
        try await withEmptyDatabase { owner in
            try await owner.run { session in
                try SchemaMigrator.migrate(session)
                try session.execute("INSERT INTO entitled.schema_version (version) VALUES (999)")
            }
            let before = try await owner.run { try SchemaDescription($0) }
            for attempt in [SchemaMigrator.migrate, SchemaMigrator.check] {
                let error = try await storeError { try await owner.run { try attempt($0) } }
                guard case .schemaMismatch(found: 999, needed: SchemaMigrator.version)? = error else {
                    Issue.record("\(error.map(\.description) ?? "no error")")
                    continue
                }
                #expect(error?.isTemporary == false)
                #expect(error?.description.contains("upgrade entitled") == true)
            }
            #expect(try await owner.run { try SchemaDescription($0) } == before)
        }
    }

    @Test func aFailedMigrationLeavesNothing() async throws {
        try await withEmptyDatabase { owner in
            // A function of another type is in the migration's way, behind the first tables.
            try await owner.run {
                try $0.execute(
                    """
                    CREATE SCHEMA entitled;
                    CREATE FUNCTION entitled.refuse_change() RETURNS integer LANGUAGE sql AS 'SELECT 1'
                    """
                )
            }
            let before = try await owner.run { try SchemaDescription($0) }
            await #expect(throws: PostgresError.self) { try await owner.run { try SchemaMigrator.migrate($0) } }
            #expect(try await owner.run { try SchemaDescription($0) } == before)
        }
    }

    @Test func manyRunsAtOnceOnOneDatabaseDoTheWorkOnce() async throws {
        let test = try await TestDatabase.create()
        try await migrate(Array(repeating: test.ownerConfiguration, count: 8))
        let owner = PostgresThread(test.ownerConfiguration)
        try await owner.run { try SchemaMigrator.check($0) }
        let versions = try await owner.run { try $0.query("SELECT count(*) FROM entitled.schema_version").int64(0, 0) }
        #expect(versions == 1)
        await owner.close()
        try await test.drop()
    }

    /// Roles belong to the server, so databases that are migrated for the first time at once meet at the service's role.
    @Test func databasesOfAFreshServerCanBeMigratedAtOnce() async throws {
        let server = try await PrivateServer.start()
        let databases = (0..<6).map { "database\($0)" }
        try await server.run { session in for name in databases { try session.execute("CREATE DATABASE \(name)") } }
        let configurations = databases.map {
            PostgresConfiguration(connectionString: server.connectionString(user: "entitled", database: $0))
        }
        try await migrate(configurations)
        var descriptions: Set<SchemaDescription> = []
        for configuration in configurations {
            let owner = PostgresThread(configuration)
            try await owner.run { try SchemaMigrator.check($0) }
            descriptions.insert(try await owner.run { try SchemaDescription($0) })
            await owner.close()
        }
        #expect(descriptions.count == 1)
        try await server.remove()
    }

    private func migrate(_ configurations: [PostgresConfiguration]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for configuration in configurations {
                group.addTask {
                    let thread = PostgresThread(configuration)
                    defer { Task { await thread.close() } }
                    try await thread.run { try SchemaMigrator.migrate($0) }
                }
            }
            try await group.waitForAll()
        }
    }

    private func withEmptyDatabase(_ body: (PostgresThread) async throws -> Void) async throws {
        let test = try await TestDatabase.create()
        let owner = PostgresThread(test.ownerConfiguration)
        do {
            try await body(owner)
        } catch {
            await owner.close()
            throw error
        }
        await owner.close()
        try await test.drop()
    }
}
