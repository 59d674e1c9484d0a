import Foundation
import Postgres
import PostgresTesting
import Testing

@Suite struct PostgresSessionTests {
    @Test func aFailedConnectionTellsWhy() async throws {
        let server = try TestServer.shared
        func failure(_ text: String) -> PostgresError? {
            postgresError {
                let configuration = PostgresConfiguration(
                    connectionString: text,
                    connectTimeout: .milliseconds(300)
                )
                _ = try PostgresSession(configuration)
            }
        }
        let noDatabase = failure(
            try PostgresConfiguration.connectionString(server.ownerConnectionString, database: "missing")
        )
        #expect(noDatabase?.kind == .connection)
        #expect(noDatabase?.sqlState == .undefinedDatabase)
        #expect(noDatabase?.isTransient == false)
        let nowhere = failure("host=/nowhere/at/all dbname=x")
        #expect(nowhere?.kind == .connection)
        #expect(nowhere?.sqlState == nil)
        #expect(nowhere?.isTransient == true)
        let unreadable = failure("postgresql://[broken password=secret")
        #expect(unreadable?.kind == .protocol)
        #expect(unreadable?.debugDescription.contains("secret") == false)
        #expect(failure("host=a\0b")?.kind == .protocol)
    }

    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["ENTITLED_TEST_DATABASE"] == nil, "needs a server of its own")
    )
    func aHostThatDoesNotAnswerIsSkippedForTheNext() async throws {
        // A socket that takes connections and says nothing.
        let directory = "/tmp/entitled-silent-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let listener = try SilentListener(path: directory + "/.s.PGSQL.5432")
        defer { listener.close() }
        let real = try #require(try TestServer.shared.embedded).socketDirectory
        let configuration = PostgresConfiguration(
            connectionString: "host=\(directory),\(real) user=entitled dbname=postgres",
            connectTimeout: .milliseconds(200)
        )
        let session = try PostgresSession(configuration)
        #expect(try session.query("SELECT 1::int4").int32(0, 0) == 1)
        let alone = postgresError {
            _ = try PostgresSession(
                PostgresConfiguration(connectionString: "host=\(directory)", connectTimeout: .milliseconds(50))
            )
        }
        #expect(alone?.kind == .timeout)
        #expect(alone?.isTransient == true)
    }

    @Test func setsItsNameAndSettings() async throws {
        let database = try await TestDatabase.create()
        let configuration = PostgresConfiguration(
            connectionString: database.ownerConnectionString,
            applicationName: "named",
            settings: ["statement_timeout": "1234ms", "search_path": "\"a b\", \"c\\d\""]
        )
        let session = try PostgresSession(configuration)
        #expect(session.reportedSetting("application_name") == "named")
        #expect(try session.query("SHOW statement_timeout").text(0, 0) == "1234ms")
        #expect(try session.query("SHOW search_path").text(0, 0) == "\"a b\", \"c\\d\"")
        #expect(session.serverVersion >= 120_000)
        let process = try session.query("SELECT pg_backend_pid()").int32(0, 0)
        #expect(process == session.processID)
    }

    @Test func executesManyCommandsWithFunctionBodies() async throws {
        let session = try await TestDatabase.create().ownerSession()
        try session.execute(
            """
            CREATE TABLE t (id int8); -- a comment; with a semicolon
            CREATE FUNCTION f() RETURNS int8 LANGUAGE plpgsql AS $$ BEGIN INSERT INTO t VALUES (1); RETURN 2; END; $$;
            SELECT f();
            """
        )
        #expect(try session.query("SELECT count(*) FROM t").int64(0, 0) == 1)
        // One implicit transaction: nothing of a text that fails stays.
        let error = postgresError { try session.execute("INSERT INTO t VALUES (2); SELECT 1/0") }
        #expect(error?.sqlState == .divisionByZero)
        #expect(try session.query("SELECT count(*) FROM t").int64(0, 0) == 1)
        #expect(postgresError { try session.execute("SELECT 1\0; DROP TABLE t") }?.kind == .protocol)
    }

    @Test func noticesGoToTheClosure() async throws {
        let database = try await TestDatabase.create()
        let seen = Shared<[ServerMessage]>([])
        var configuration = database.ownerConfiguration
        configuration.onNotice = { message in seen.change { $0.append(message) } }
        let session = try PostgresSession(configuration)
        try session.execute("DO $$ BEGIN RAISE WARNING 'careful %', 7; END $$; DROP TABLE IF EXISTS missing")
        let messages = seen.value
        #expect(messages.map { $0.severity } == ["WARNING", "NOTICE"])
        #expect(messages.first?.message == "careful 7")
    }

    @Test func copyThroughTheWrongDoorIsAnErrorAndTheSessionGoesOn() async throws {
        let session = try await TestDatabase.create().ownerSession()
        try session.execute("CREATE TABLE t (id int8)")
        #expect(postgresError { try session.execute("COPY t FROM STDIN") }?.kind == .protocol)
        #expect(postgresError { try session.query("COPY (SELECT generate_series(1, 1000)) TO STDOUT") } != nil)
        #expect(try session.query("SELECT 5::int4").int32(0, 0) == 5)
    }

    @Test func aClosedSessionRefusesWork() async throws {
        let session = try await TestDatabase.create().ownerSession()
        session.close()
        #expect(session.isBroken)
        #expect(postgresError { try session.execute("SELECT 1") }?.kind == .closed)
        #expect(!session.cancelHandle.cancel())
    }

    @Test func aServerThatFellSilentIsGivenUpAfterTheCommandTimeout() async throws {
        let database = try await TestDatabase.create()
        var configuration = database.ownerConfiguration
        configuration.commandTimeout = .milliseconds(100)
        let session = try PostgresSession(configuration)
        #expect(try session.query("SELECT 1::int4").int32(0, 0) == 1)
        let error = postgresError { try session.execute("SELECT pg_sleep(5)") }
        #expect(error?.kind == .timeout)
        #expect(session.isBroken)
    }

    @Test func namesAreQuoted() async throws {
        let session = try await TestDatabase.create().ownerSession()
        let name = "od\"d; DROP TABLE x --"
        try session.execute("CREATE TABLE \(PostgresSession.quoteIdentifier(name)) (id int8)")
        let found = try session.query("SELECT 1 FROM pg_class WHERE relname = $1", [.text(name)])
        #expect(found.rowCount == 1)
        #expect(throws: PostgresError.self) { try PostgresSession.quoteIdentifier("a\0b") }
    }
}
