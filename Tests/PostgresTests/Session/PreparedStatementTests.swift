import Postgres
import PostgresTesting
import Testing

@Suite struct PreparedStatementTests {
    @Test func namesFollowTextAndTypes() {
        let one = PreparedStatement("SELECT $1")
        #expect(one.name == PreparedStatement("SELECT $1").name)
        #expect(one.name != PreparedStatement("SELECT $2").name)
        #expect(one.name != PreparedStatement("SELECT $1", parameterTypes: [.int8]).name)
    }

    @Test func isPreparedOncePerSession() async throws {
        let session = try await TestDatabase.create().ownerSession()
        let statement = PreparedStatement("SELECT $1::int8 + 1")
        for number in 0..<5 {
            #expect(try session.query(statement, [.int8(Int64(number))]).int64(0, 0) == Int64(number + 1))
        }
        let held = try session.query(
            "SELECT count(*) FROM pg_prepared_statements WHERE name = $1",
            [.text(statement.name)]
        )
        #expect(try held.int64(0, 0) == 1)
    }

    @Test func parametersThatDoNotFitAreFoundBeforeTheyAreSent() async throws {
        let session = try await TestDatabase.create().ownerSession()
        let statement = PreparedStatement("SELECT $1::int8, $2::text")
        let count = postgresError { try session.query(statement, [.int8(1)]) }
        #expect(count?.kind == .protocol)
        let type = try #require(postgresError { try session.query(statement, [.int4(1), .text("x")]) })
        #expect(type.kind == .protocol)
        #expect(type.description.contains("$1"))
        #expect(type.description.contains("int8"))
        #expect(try session.query(statement, [.null, .null]).isNull(0, 1))
    }

    @Test func twoTextsUnderOneNameAreRefused() async throws {
        let session = try await TestDatabase.create().ownerSession()
        try session.query(PreparedStatement("SELECT 1", name: "same"))
        #expect(postgresError { try session.query(PreparedStatement("SELECT 2", name: "same")) }?.kind == .protocol)
    }

    @Test func textReachesAnEnum() async throws {
        let session = try await TestDatabase.create().ownerSession()
        try session.execute("CREATE TYPE mood AS ENUM ('calm', 'wild')")
        let statement = PreparedStatement("SELECT $1::mood::text")
        #expect(try session.query(statement, [.text("wild")]).text(0, 0) == "wild")
        #expect(postgresError { try session.query(statement, [.text("none")]) }?.sqlState == .invalidTextRepresentation)
    }

    @Test func survivesAMigrationOfItsColumns() async throws {
        let database = try await TestDatabase.create()
        let session = try database.ownerSession()
        try session.execute("CREATE TABLE t (id int4); INSERT INTO t VALUES (1)")
        let statement = PreparedStatement("SELECT * FROM t")
        #expect(try session.query(statement).int32(0, 0) == 1)
        try database.ownerSession().execute("ALTER TABLE t ALTER id TYPE int8")
        #expect(try session.query(statement).columnType(0) == .int8)
        try database.ownerSession().execute("ALTER TABLE t ADD name text")
        // In a transaction nothing can be repeated; the next use after it works.
        let inside = postgresError { _ = try session.transaction { try $0.query(statement) } }
        #expect(inside?.sqlState == .featureNotSupported)
        #expect(try session.query(statement).columnCount == 2)
    }

    @Test func survivesDeallocation() async throws {
        let session = try await TestDatabase.create().ownerSession()
        let statement = PreparedStatement("SELECT 3::int4")
        try session.query(statement)
        try session.execute("DEALLOCATE ALL")
        #expect(try session.query(statement).int32(0, 0) == 3)
    }
}
