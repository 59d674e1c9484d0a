import EventStore
import Postgres
import Testing

/// Law 1: an event row is never updated or deleted.
@Suite struct AppendOnlyTests {
    private static let tables = ["events", "events_00000", "evidence", "certificate_chains", "statements"]
    private static let columns = ["evidence": "content", "certificate_chains": "content"]

    @Test(arguments: tables)
    func theServiceHasNoRightToChangeTheLog(table: String) async throws {
        try await StoreDatabase.with { database in
            _ = try await database.makeStore().append(.statement(Sample.upload(Sample.month("1")), claim: nil))
            let refusals = try await database.service { session in
                let column = Self.columns[table] ?? "position"
                return [
                    "UPDATE entitled.\(table) SET \(column) = \(column)",
                    "DELETE FROM entitled.\(table)",
                    "TRUNCATE entitled.\(table)",
                    "ALTER TABLE entitled.\(table) ADD COLUMN note text",
                    "ALTER TABLE entitled.\(table) DISABLE TRIGGER ALL",
                    "DROP TABLE entitled.\(table) CASCADE",
                    "SELECT FROM entitled.\(table) FOR UPDATE",
                ].map { ($0, refusal(session, $0)) }
            }
            for (statement, state) in refusals { #expect(state == .insufficientPrivilege, "\(statement)") }
            #expect(try await database.events().count == 1)
        }
    }

    @Test(arguments: tables)
    func evenTheOwnerIsRefusedByATrigger(table: String) async throws {
        try await StoreDatabase.with { database in
            _ = try await database.makeStore().append(.statement(Sample.upload(Sample.month("1")), claim: nil))
            let refusals = try await database.owner { session in
                let column = Self.columns[table] ?? "position"
                return [
                    "UPDATE entitled.\(table) SET \(column) = \(column)",
                    "DELETE FROM entitled.\(table)",
                    "TRUNCATE entitled.\(table)",
                    "TRUNCATE entitled.\(table) CASCADE",
                ].map { ($0, refusal(session, $0)) }
            }
            for (statement, state) in refusals { #expect(state == .restrictViolation, "\(statement)") }
            #expect(try await database.count("SELECT count(*) FROM entitled.\(table)") == 1)
        }
    }

    @Test func aPartitionMadeLaterIsProtectedAsWell() async throws {
        try await StoreDatabase.with { database in
            try await database.service { try $0.execute("SELECT entitled.ensure_events_partition(16777216)") }
            let refusals = try await database.owner { session in
                try session.execute(
                    """
                    INSERT INTO entitled.events (position, event_id, type, store, environment, recorded_at, source,
                        statement_id, evidence_digests, payload, hash)
                    VALUES (16777216, gen_random_uuid(), 'Received', 'appstore', '', now(), 'import', '', '{}', '{}',
                        decode(repeat('00', 32), 'hex'))
                    """
                )
                return [
                    "UPDATE entitled.events_00001 SET type = type", "DELETE FROM entitled.events_00001",
                    "TRUNCATE entitled.events_00001",
                ].map { refusal(session, $0) }
            }
            #expect(refusals == [.restrictViolation, .restrictViolation, .restrictViolation])
            let refused = try await database.service { refusal($0, "DELETE FROM entitled.events_00001") }
            #expect(refused == .insufficientPrivilege)
        }
    }
}
