import Postgres
import PostgresTesting
import Testing

@Suite struct PipelinedTransactionTests {
    private struct Stop: Error, Equatable {}

    private static let count = PreparedStatement("SELECT count(*) FROM t")
    private static let insert = PreparedStatement("INSERT INTO t VALUES ($1::int8)")

    private func session() async throws -> PostgresSession {
        let session = try await TestDatabase.create().ownerSession()
        try session.execute("CREATE TABLE t (id int8 PRIMARY KEY DEFERRABLE INITIALLY DEFERRED)")
        return session
    }

    private func count(_ session: PostgresSession) throws -> Int64 {
        try session.query("SELECT count(*) FROM t").int64(0, 0)
    }

    private func insert(_ id: Int64) -> PostgresPipelineStep {
        PostgresPipelineStep(Self.insert, [.int8(id)])
    }

    @Test func commitsItsFirstAndItsLastStatementsAndWhatIsBetween() async throws {
        let session = try await session()
        let (answer, last) = try session.transaction(beginningWith: [insert(1), PostgresPipelineStep(Self.count)]) {
            session,
            results in
            #expect(session.isInTransaction)
            #expect(results.count == 2)
            #expect(try results[1].int64(0, 0) == 1)
            try session.execute("INSERT INTO t VALUES (2)")
            return ([insert(3), PostgresPipelineStep(Self.count)], 5)
        }
        #expect(answer == 5)
        #expect(try last[1].int64(0, 0) == 3)
        #expect(!session.isInTransaction)
        #expect(try count(session) == 3)
        // Nothing before, nothing after.
        try session.transaction(beginningWith: []) { _, _ in ([], ()) }
        #expect(!session.isInTransaction)
    }

    @Test func undoesAllWhateverFails() async throws {
        let session = try await session()
        let broken = PostgresPipelineStep(PreparedStatement("SELECT 1 / (SELECT count(*) FROM t WHERE id < 0)"))
        #expect(throws: Stop()) {
            try session.transaction(beginningWith: [insert(1)]) { _, _ -> ([PostgresPipelineStep], Void) in throw Stop()
            }
        }
        #expect(throws: PostgresPipelineError.self) {
            try session.transaction(beginningWith: [insert(1), broken]) { _, _ in ([], ()) }
        }
        #expect(throws: PostgresPipelineError.self) {
            try session.transaction(beginningWith: [insert(1)]) { _, _ in ([insert(2), broken, insert(3)], ()) }
        }
        #expect(!session.isInTransaction)
        #expect(try count(session) == 0)
    }

    @Test func aConstraintCheckedAtCommitIsItsError() async throws {
        let session = try await session()
        let error = #expect(throws: PostgresPipelineError.self) {
            try session.transaction(beginningWith: [insert(1)]) { _, _ in ([insert(1)], ()) }
        }
        #expect(error.flatMap { PostgresError.underlying($0) }?.sqlState == .uniqueViolation)
        #expect(!session.isInTransaction)
        #expect(try count(session) == 0)
    }

    @Test func aFailureItsBodyHidIsNotTakenForACommit() async throws {
        let session = try await session()
        #expect(throws: (any Error).self) {
            try session.transaction(beginningWith: [insert(1)]) { session, _ in
                try? session.execute("SELECT 1/0")
                return ([], ())
            }
        }
        #expect(!session.isInTransaction)
        #expect(try count(session) == 0)
    }

    @Test func doesNotNest() async throws {
        let session = try await session()
        let error = postgresError {
            try session.transaction { _ = try $0.transaction(beginningWith: []) { _, _ in ([], ()) } }
        }
        #expect(error?.kind == .protocol)
    }

    @Test func aConnectionLostDuringCommitLeavesTheOutcomeOpen() async throws {
        let session = try await session()
        try session.execute(
            """
            CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
            CREATE CONSTRAINT TRIGGER die AFTER INSERT ON t DEFERRABLE INITIALLY DEFERRED
            FOR EACH ROW EXECUTE FUNCTION die();
            """
        )
        let error = try #require(throws: PostgresTransactionError.self) {
            try session.transaction(beginningWith: []) { _, _ in ([insert(1)], ()) }
        }
        #expect(error.outcome == .commitUnknown)
        #expect(PostgresError.underlying(error)?.isConnectionLost == true)
    }
}
