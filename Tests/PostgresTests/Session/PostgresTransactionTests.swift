import Postgres
import PostgresTesting
import Testing

@Suite struct PostgresTransactionTests {
    private struct Stop: Error, Equatable {}

    private func session() async throws -> PostgresSession {
        let session = try await TestDatabase.create().ownerSession()
        try session.execute("CREATE TABLE t (id int8 PRIMARY KEY DEFERRABLE INITIALLY DEFERRED)")
        return session
    }

    private func count(_ session: PostgresSession) throws -> Int64 {
        try session.query("SELECT count(*) FROM t").int64(0, 0)
    }

    @Test func commitsWhatItsBodyDid() async throws {
        let session = try await session()
        let answer = try session.transaction { session in
            #expect(session.isInTransaction)
            try session.execute("INSERT INTO t VALUES (1)")
            return 5
        }
        #expect(answer == 5)
        #expect(!session.isInTransaction)
        #expect(try count(session) == 1)
    }

    @Test func undoesAllAndKeepsTheErrorOfItsBody() async throws {
        let session = try await session()
        #expect(throws: Stop()) {
            try session.transaction { session in
                try session.execute("INSERT INTO t VALUES (1)")
                throw Stop()
            }
        }
        #expect(try count(session) == 0)
    }

    @Test func aConstraintCheckedAtCommitIsItsError() async throws {
        let session = try await session()
        let error = postgresError {
            try session.transaction { try $0.execute("INSERT INTO t VALUES (1), (1)") }
        }
        #expect(error?.sqlState == .uniqueViolation)
        #expect(!session.isInTransaction)
    }

    @Test func aFailureItsBodyHidIsNotTakenForACommit() async throws {
        let session = try await session()
        let error = postgresError {
            try session.transaction { session in
                try session.execute("INSERT INTO t VALUES (1)")
                try? session.execute("SELECT 1/0")
            }
        }
        #expect(error?.kind == .protocol)
        #expect(try count(session) == 0)
    }

    @Test func doesNotNest() async throws {
        let session = try await session()
        let error = postgresError { try session.transaction { session in try session.transaction { _ in } } }
        #expect(error?.kind == .protocol)
    }

    @Test func readOnlyIsHeldByTheServer() async throws {
        let session = try await session()
        let error = postgresError { try session.transaction(.snapshot) { try $0.execute("INSERT INTO t VALUES (1)") } }
        #expect(error?.sqlState == .readOnlySQLTransaction)
        #expect(error?.isTransient == true)
    }

    @Test func aConnectionLostInTheBodyIsTheBodysError() async throws {
        let session = try await session()
        let error = postgresError {
            _ = try session.transaction { try $0.query("SELECT pg_terminate_backend(pg_backend_pid())") }
        }
        #expect(error?.sqlState == .adminShutdown)
        #expect(error?.isConnectionLost == true)
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
            try session.transaction { try $0.execute("INSERT INTO t VALUES (1)") }
        }
        #expect(error.outcome == .commitUnknown)
        #expect(PostgresError.underlying(error)?.isConnectionLost == true)
    }
}
