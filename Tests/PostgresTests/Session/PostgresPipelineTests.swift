import Postgres
import PostgresTesting
import Testing

@Suite struct PostgresPipelineTests {
    private let insert = PreparedStatement("INSERT INTO t (id, body) VALUES ($1, $2)")
    private let select = PreparedStatement("SELECT $1::int8, repeat('x', $2::int4)")

    private func session() async throws -> PostgresSession {
        let session = try await TestDatabase.create().ownerSession()
        try session.execute("CREATE TABLE t (id int8 CONSTRAINT t_pkey PRIMARY KEY, body text)")
        return session
    }

    @Test func answersInOrder() async throws {
        let session = try await session()
        let results = try session.pipeline((0..<100).map { PostgresPipelineStep(select, [.int8($0), .int4(3)]) })
        #expect(try results.map { try $0.int64(0, 0) } == (0..<100).map { $0 })
        #expect(try session.pipeline([]).isEmpty)
        #expect(try session.query("SELECT 1::int4").int32(0, 0) == 1)
    }

    /// Both directions carry more than all buffers hold: whoever sends everything before reading hangs here.
    @Test(.timeLimit(.minutes(3))) func largePipelinesDoNotDeadlock() async throws {
        let session = try await session()
        let body = String(repeating: "y", count: 4000)
        let echo = PreparedStatement("SELECT $1::text")
        let results = try session.pipeline(
            [PostgresPipelineStep](repeating: PostgresPipelineStep(echo, [.text(body)]), count: 5000)
        )
        #expect(results.count == 5000)
        #expect(try results.allSatisfy { try $0.text(0, 0) == body })
        let wide = try session.pipeline((0..<50).map { PostgresPipelineStep(select, [.int8($0), .int4(1_000_000)]) })
        #expect(try wide.map { try $0.text(0, 1).utf8.count } == [Int](repeating: 1_000_000, count: 50))
    }

    @Test func anErrorInTheMiddleNamesItsStepAndUndoesAll() async throws {
        let session = try await session()
        let ids: [Int64] = [1, 2, 3, 2, 5, 6]
        let steps = ids.map { PostgresPipelineStep(insert, [.int8($0), .text("b")]) }
        let error = try #require(throws: PostgresPipelineError.self) { try session.pipeline(steps) }
        #expect(error.step == 3)
        #expect(error.stepCount == 6)
        #expect(error.statement == insert.name)
        #expect(error.underlying.sqlState == .uniqueViolation)
        #expect(error.underlying.constraint == "t_pkey")
        #expect(PostgresError.underlying(error)?.sqlState == .uniqueViolation)
        #expect(try session.query("SELECT count(*) FROM t").int64(0, 0) == 0)
        let outcomes = try session.pipelineOutcomes(steps).map { outcome in
            switch outcome {
            case .completed: "completed"
            case .failed: "failed"
            case .aborted: "aborted"
            }
        }
        #expect(outcomes == ["completed", "completed", "completed", "failed", "aborted", "aborted"])
    }

    @Test func holdsATransactionOfItsOwn() async throws {
        let session = try await session()
        let steps = [
            PostgresPipelineStep(PreparedStatement("BEGIN")),
            PostgresPipelineStep(insert, [.int8(1), .null]),
            PostgresPipelineStep(PreparedStatement("COMMIT")),
        ]
        try session.pipeline(steps)
        #expect(!session.isInTransaction)
        #expect(try session.query("SELECT count(*) FROM t").int64(0, 0) == 1)
    }

    @Test func runsInsideATransaction() async throws {
        let session = try await session()
        struct Stop: Error {}
        #expect(throws: Stop.self) {
            try session.transaction { session in
                try session.pipeline([PostgresPipelineStep(insert, [.int8(1), .null])])
                throw Stop()
            }
        }
        #expect(try session.query("SELECT count(*) FROM t").int64(0, 0) == 0)
    }

    @Test func aServerThatEndsInTheMiddleIsALostConnection() async throws {
        let session = try await session()
        let end = PreparedStatement("SELECT pg_terminate_backend(pg_backend_pid())")
        var steps = (0..<10).map { PostgresPipelineStep(insert, [.int8($0), .null]) }
        steps.insert(PostgresPipelineStep(end), at: 5)
        var thrown: PostgresError?
        do { try session.pipeline(steps) } catch { thrown = PostgresError.underlying(error) }
        #expect(thrown?.isConnectionLost == true)
        #expect(thrown?.isTransient == true)
        #expect(session.isBroken || !session.checkIsAlive())
    }

    /// A server that is told to end while it commits answers COMMIT first; its last word then stands where the end of the
    /// pipeline belongs. MOVE looks for such orders as little as COMMIT does.
    @Test func aServerThatEndsBehindTheLastStepIsALostConnection() async throws {
        let session = try await session()
        let steps = [
            "BEGIN", "DECLARE c CURSOR FOR SELECT pg_terminate_backend(pg_backend_pid())", "MOVE 1 FROM c",
        ].map { PostgresPipelineStep(PreparedStatement($0)) }
        var thrown: PostgresError?
        do { try session.pipeline(steps) } catch { thrown = error as? PostgresError }
        #expect(thrown?.sqlState == .adminShutdown)
        #expect(thrown?.isConnectionLost == true)
        #expect(thrown?.isTransient == true)
        #expect(session.isBroken)
    }
}
