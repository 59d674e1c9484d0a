import PostgresTesting
import Testing

@testable import Postgres

@Suite struct PostgresErrorTests {
    @Test func carriesWhatTheServerSaid() async throws {
        let session = try await TestDatabase.create().ownerSession()
        try session.execute(
            """
            CREATE TABLE people (id int8 CONSTRAINT people_pkey PRIMARY KEY,
                age int4 NOT NULL CONSTRAINT people_age_positive CHECK (age > 0));
            INSERT INTO people VALUES (77123, 5);
            """
        )
        let twice = try #require(postgresError { try session.query("INSERT INTO people VALUES (77123, 1)") })
        #expect(twice.kind == .server)
        #expect(twice.sqlState == .uniqueViolation)
        #expect(twice.constraint == "people_pkey")
        #expect(twice.table == "people")
        #expect(twice.detail?.contains("77123") == true)
        #expect(!twice.description.contains("77123"))
        #expect(twice.description.contains("people_pkey"))
        #expect(twice.debugDescription.contains("77123"))

        let check = try #require(postgresError { try session.query("INSERT INTO people VALUES (1, -1)") })
        #expect(check.sqlState == .checkViolation)
        #expect(check.constraint == "people_age_positive")
        let null = try #require(postgresError { try session.query("INSERT INTO people VALUES (1, NULL)") })
        #expect(null.sqlState == .notNullViolation)
        #expect(null.server?.column == "age")
        let missing = try #require(postgresError { try session.query("SELECT * FROM nobody") })
        #expect(missing.sqlState == .undefinedTable)
        #expect(missing.server?.position == 15)
        #expect(missing.description.contains("nobody"))
        let value = try #require(postgresError { try session.query("SELECT $1::text::int4", [.text("s3cret")]) })
        #expect(value.sqlState == .invalidTextRepresentation)
        #expect(!value.description.contains("s3cret"))
        #expect(value.message.contains("s3cret"))
    }

    @Test func missingRightsAreNamed() async throws {
        let database = try await TestDatabase.create()
        let session = try database.ownerSession()
        let role = "reader_\(database.name)"
        try session.execute("CREATE ROLE \(role) LOGIN; CREATE TABLE t (id int8)")
        let configuration = PostgresConfiguration(connectionString: try database.connectionString(user: role))
        let error = try #require(postgresError { try PostgresSession(configuration).query("SELECT * FROM t") })
        #expect(error.sqlState == .insufficientPrivilege)
        #expect(!error.isTransient)
        try session.execute("DROP ROLE \(role)")
    }

    private static func server(_ state: SQLState) -> PostgresError {
        PostgresError(
            state.endsSession ? .connection : .server,
            "text",
            server: ServerMessage(severity: "ERROR", sqlState: state, message: "text")
        )
    }

    @Test(arguments: [
        SQLState.serializationFailure, .deadlockDetected, .adminShutdown, .crashShutdown, .cannotConnectNow,
        .tooManyConnections, .readOnlySQLTransaction, .diskFull, .lockNotAvailable, .connectionFailure, .outOfMemory,
        .ioError,
    ])
    func passingTroubleIsTransient(state: SQLState) {
        #expect(Self.server(state).isTransient)
    }

    @Test(arguments: [
        SQLState.uniqueViolation, .checkViolation, .insufficientPrivilege, .undefinedTable, .syntaxError,
        .invalidPassword, .undefinedDatabase, .protocolViolation, .internalError, .raisedException, .dataCorrupted,
        .inFailedSQLTransaction,
    ])
    func theRestIsNot(state: SQLState) {
        #expect(!Self.server(state).isTransient)
    }

    @Test(arguments: [SQLState.adminShutdown, .crashShutdown, .idleSessionTimeout, .connectionFailure])
    func whatEndsTheSessionIsALostConnection(state: SQLState) {
        #expect(Self.server(state).isConnectionLost)
        #expect(!Self.server(.uniqueViolation).isConnectionLost)
    }

    @Test func readsTheCodeOfAFailedConnection() {
        let error = ConnectFailure.error(
            from: """
                connection to server on socket "/tmp/.s.PGSQL.5432" failed: FATAL:  57P03: the database system is starting up
                LOCATION:  ProcessStartupPacket, postmaster.c:2335

                """
        )
        #expect(error.sqlState == .cannotConnectNow)
        #expect(error.isTransient)
        #expect(
            error.message
                == "connection to server on socket \"/tmp/.s.PGSQL.5432\" failed: FATAL: the database system is starting up"
        )
        let refused = ConnectFailure.error(
            from: "connection to server at \"db\", port 5432 failed: Connection refused\n"
        )
        #expect(refused.sqlState == nil)
        #expect(refused.isTransient)
    }

    @Test func codesStayOpen() {
        #expect(SQLState(rawValue: "ZZ999").conditionClass == "ZZ")
        #expect(SQLState(rawValue: "23505") == .uniqueViolation)
    }
}
