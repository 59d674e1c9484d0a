import EventStore
import Postgres

/// A database of its own for scenarios, on a server that is there already: made, emptied before each order, dropped.
final class ScenarioDatabase: Sendable {
    let connectionString: String
    private let name: String
    private let server: PostgresThread
    private let owner: PostgresThread

    private init(name: String, connectionString: String, server: PostgresThread) {
        self.name = name
        self.connectionString = connectionString
        self.server = server
        owner = PostgresThread(PostgresConfiguration(connectionString: connectionString))
    }

    /// Makes the database and its schema. The role of the connection must be allowed to make databases and roles.
    static func create(on connectionString: String) async throws -> ScenarioDatabase {
        let name = "entitled_scenario_" + String(UInt32.random(in: .min ... .max), radix: 36)
        let server = PostgresThread(PostgresConfiguration(connectionString: connectionString))
        try await server.run { try $0.execute("CREATE DATABASE \(name)") }
        let database = ScenarioDatabase(
            name: name,
            connectionString: try PostgresConfiguration.connectionString(connectionString, database: name),
            server: server
        )
        try await database.owner.run { session in
            try SchemaMigrator.migrate(session)
            // Only here, in a database that is dropped at the end, may the log be emptied between two orders.
            try session.execute(
                """
                DROP TRIGGER events_append_only ON entitled.events;
                DROP TRIGGER evidence_append_only ON entitled.evidence;
                DROP TRIGGER statements_append_only ON entitled.statements;
                """
            )
        }
        return database
    }

    /// Empties the log and the projections. DELETE, because TRUNCATE takes much longer on tables of a few rows.
    func wipe() async throws {
        try await owner.run { session in
            try session.execute(
                """
                BEGIN;
                DELETE FROM entitled.events; DELETE FROM entitled.evidence; DELETE FROM entitled.statements;
                DELETE FROM entitled.lines; DELETE FROM entitled.accounts; DELETE FROM entitled.entitlements;
                DELETE FROM entitled.line_history;
                DELETE FROM entitled.catalogs; DELETE FROM entitled.former_owners; DELETE FROM entitled.api_keys;
                DELETE FROM entitled.quarantine; DELETE FROM entitled.feed;
                DELETE FROM entitled.account_names; DELETE FROM entitled.erased_accounts;
                UPDATE entitled.feed_walk SET catalog_position = 0, previous_position = 0, is_done = true;
                UPDATE entitled.log_head SET position = 0, hash = decode(repeat('00', 32), 'hex'), catalog_position = 0,
                    recorded_at = '-infinity', erasure_position = 0, feed_ordinal = 0;
                UPDATE entitled.catalog_walk SET catalog_position = 0, previous_position = 0, is_done = true;
                COMMIT;
                """
            )
        }
    }

    /// Adds an API key, as the owner.
    func addKey(_ key: APIKeyRecord) async throws {
        try await owner.run { try $0.addKey(key) }
    }

    func drop() async throws {
        await owner.close()
        let name = name
        try await server.run { try $0.execute("DROP DATABASE \(name) WITH (FORCE)") }
        await server.close()
    }
}
