import Postgres
import PostgresTesting
import Testing

@Suite struct PostgresMultiplexerTests {
    private let echo = PreparedStatement("SELECT $1::int8, pg_backend_pid()")

    @Test(.timeLimit(.minutes(3)), arguments: [1, 2]) func everyCallerGetsItsOwnAnswer(sessions: Int) async throws {
        let reader = PostgresMultiplexer(try await TestDatabase.create().ownerConfiguration, sessions: sessions)
        let processes = Shared<Set<Int32>>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<2000 {
                group.addTask {
                    let result = try await reader.query(echo, [.int8(Int64(number))])
                    let answer = try result.int64(0, 0)
                    #expect(answer == Int64(number))
                    let process = try result.int32(0, 1)
                    processes.change { _ = $0.insert(process) }
                }
            }
            try await group.waitForAll()
        }
        #expect(processes.value.count <= sessions)
        await reader.close()
    }

    @Test(.timeLimit(.minutes(3))) func aCallThatFailsFailsAlone() async throws {
        let reader = PostgresMultiplexer(try await TestDatabase.create().ownerConfiguration, sessions: 1)
        let divide = PreparedStatement("SELECT 100::int8 / $1::int8")
        let kinds = try await withThrowingTaskGroup(of: (Int, PostgresError?).self) { group in
            for number in 0..<600 {
                group.addTask {
                    do {
                        switch number % 50 {
                        case 7: _ = try await reader.query(divide, [.int8(0)])
                        case 8: _ = try await reader.query(divide, [.text("x")])
                        case 9: _ = try await reader.query(PreparedStatement("SELECT FROM nowhere"))
                        default:
                            let result = try await reader.query(divide, [.int8(Int64(number + 1))])
                            let quotient = try result.int64(0, 0)
                            #expect(quotient == Int64(100 / (number + 1)))
                        }
                        return (number, nil)
                    } catch let error as PostgresError {
                        return (number, error)
                    }
                }
            }
            return try await group.reduce(into: [Int: PostgresError?]()) { $0[$1.0] = .some($1.1) }
        }
        for (number, error) in kinds {
            switch number % 50 {
            case 7: #expect(error?.sqlState == .divisionByZero)
            case 8: #expect(error?.kind == .protocol)
            case 9: #expect(error?.sqlState == .undefinedTable)
            default: #expect(error == nil)
            }
        }
        await reader.close()
    }

    @Test func writingIsRefusedByTheServer() async throws {
        let database = try await TestDatabase.create()
        try database.ownerSession().execute("CREATE TABLE t (id int8)")
        let reader = PostgresMultiplexer(database.ownerConfiguration)
        let error = await asyncPostgresError {
            _ = try await reader.query(PreparedStatement("INSERT INTO t VALUES (1)"))
        }
        #expect(error?.sqlState == .readOnlySQLTransaction)
        await reader.close()
    }

    @Test(.timeLimit(.minutes(3))) func aLostSessionFailsThoseUnderWayAndIsReplaced() async throws {
        let reader = PostgresMultiplexer(try await TestDatabase.create().ownerConfiguration, sessions: 1)
        let end = PreparedStatement("SELECT pg_terminate_backend(pg_backend_pid())")
        let first = try await reader.query(echo, [.int8(1)]).int32(0, 1)
        #expect(await asyncPostgresError { _ = try await reader.query(end) }?.isConnectionLost == true)
        let second = try await reader.query(echo, [.int8(1)]).int32(0, 1)
        #expect(first != second)
        // Among others: each gets an answer or the loss, nobody waits for ever.
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<300 {
                group.addTask {
                    do {
                        let result = try await reader.query(number == 150 ? end : echo, number == 150 ? [] : [.int8(5)])
                        if number != 150 {
                            let answer = try result.int64(0, 0)
                            #expect(answer == 5)
                        }
                    } catch {
                        #expect((error as? PostgresError)?.isConnectionLost == true)
                    }
                }
            }
        }
        await reader.close()
    }

    @Test(.timeLimit(.minutes(3))) func aMigrationUnderneathIsNotNoticed() async throws {
        let database = try await TestDatabase.create()
        let owner = try database.ownerSession()
        try owner.execute("CREATE TABLE t (id int4); INSERT INTO t VALUES (1)")
        let reader = PostgresMultiplexer(database.ownerConfiguration, sessions: 1)
        let all = PreparedStatement("SELECT * FROM t")
        #expect(try await reader.query(all).columnCount == 1)
        try owner.execute("ALTER TABLE t ADD name text")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    let columns = try await reader.query(all).columnCount
                    #expect(columns == 2)
                }
            }
            try await group.waitForAll()
        }
        await reader.close()
    }

    @Test func afterCloseCallsAreRefused() async throws {
        let reader = PostgresMultiplexer(try await TestDatabase.create().ownerConfiguration)
        _ = try await reader.query(echo, [.int8(1)])
        await reader.close()
        #expect(await asyncPostgresError { _ = try await reader.query(echo, [.int8(1)]) }?.kind == .closed)
    }
}
