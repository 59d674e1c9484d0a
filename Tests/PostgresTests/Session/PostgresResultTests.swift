import Postgres
import PostgresTesting
import Testing

@Suite struct PostgresResultTests {
    private func session() async throws -> PostgresSession {
        try await TestDatabase.create().ownerSession()
    }

    @Test func describesItsColumnsAndRows() async throws {
        let result = try await session().query("SELECT 1::int4 AS a, 'x'::text AS \"B\", NULL::uuid AS c")
        #expect(result.rowCount == 1)
        #expect(result.columnCount == 3)
        #expect(try result.column("B") == 1)
        #expect(postgresError { _ = try result.column("b") }?.kind == .decoding)
        #expect(result.columnName(2) == "c")
        #expect(result.columnName(3) == nil)
        #expect(result.columnType(0) == .int4)
        #expect(result.columnType(-1) == nil)
        #expect(try result.isNull(0, 2))
        #expect(try result.optionalUuid(0, 2) == nil)
    }

    @Test func aWrongTypeIsAnErrorThatNamesTheColumn() async throws {
        let result = try await session().query("SELECT 'x'::text AS name, 5::int8 AS amount, NULL::int8 AS nothing")
        let error = try #require(postgresError { _ = try result.int64(0, 0) })
        #expect(error.kind == .decoding)
        #expect(error.description.contains("\"name\""))
        #expect(error.description.contains("text"))
        #expect(postgresError { _ = try result.text(0, 1) }?.kind == .decoding)
        #expect(postgresError { _ = try result.int32(0, 1) }?.kind == .decoding)
        #expect(postgresError { _ = try result.uuid(0, 1) }?.kind == .decoding)
        #expect(postgresError { _ = try result.timestamp(0, 1) }?.kind == .decoding)
        #expect(postgresError { _ = try result.int64Array(0, 1) }?.kind == .decoding)
        #expect(postgresError { _ = try result.optionalText(0, 1) }?.kind == .decoding)
        let null = try #require(postgresError { _ = try result.int64(0, 2) })
        #expect(null.description.contains("NULL"))
    }

    @Test func aPlaceOutsideIsAnError() async throws {
        let result = try await session().query("SELECT 1::int8")
        for (row, column) in [(1, 0), (0, 1), (-1, 0), (0, -1), (Int.max, 0), (0, Int.max)] {
            #expect(postgresError { _ = try result.int64(row, column) }?.kind == .decoding)
        }
    }

    @Test func shorterIntegersAndFloatsWiden() async throws {
        let result = try await session().query("SELECT 7::int2, -7::int4, 1.5::float4")
        #expect(try result.int64(0, 0) == 7)
        #expect(try result.int32(0, 0) == 7)
        #expect(try result.int64(0, 1) == -7)
        #expect(try result.double(0, 2) == 1.5)
    }

    @Test func bytesAreLentAsTheyCame() async throws {
        let result = try await session().query("SELECT '\\x0102'::bytea, NULL::bytea, 258::int2")
        #expect(try result.withBytes(0, 0) { $0?[1] } == 2)
        #expect(try result.withBytes(0, 1) { $0 == nil })
        #expect(try result.withBytes(0, 2) { $0?[0] } == 1)
    }

    @Test func countsAffectedRows() async throws {
        let session = try await session()
        try session.execute("CREATE TABLE t (id int8)")
        let insert = try session.query("INSERT INTO t SELECT generate_series(1, 12)")
        #expect(insert.affectedRowCount == 12)
        #expect(insert.commandTag == "INSERT 0 12")
        #expect(try session.query("DELETE FROM t WHERE id > 10").affectedRowCount == 2)
        #expect(try session.query("SELECT * FROM t").affectedRowCount == 10)
        #expect(try session.query("CREATE TABLE u ()").affectedRowCount == 0)
    }

    @Test func outlivesItsSession() async throws {
        var session: PostgresSession? = try await session()
        let result = try #require(try session?.query("SELECT 'still here'::text"))
        session = nil
        #expect(try result.text(0, 0) == "still here")
    }
}
