import Foundation
import Postgres
import PostgresTesting
import Testing

@Suite struct PostgresThreadTests {
    @Test func keepsOneSessionAndRunsInOrder() async throws {
        let thread = PostgresThread(try await TestDatabase.create().ownerConfiguration)
        #expect(thread.connectCount == 0)
        let first = try await thread.run { $0.processID }
        let second = try await thread.run { $0.processID }
        #expect(first == second)
        #expect(thread.connectCount == 1)
        await thread.close()
        #expect(await asyncPostgresError { _ = try await thread.run { $0.processID } }?.kind == .closed)
    }

    @Test func replacesASessionLostInACall() async throws {
        let thread = PostgresThread(try await TestDatabase.create().ownerConfiguration)
        let error = await asyncPostgresError {
            try await thread.run { try $0.execute("SELECT pg_terminate_backend(pg_backend_pid())") }
        }
        #expect(error?.isConnectionLost == true)
        #expect(try await thread.run { try $0.query("SELECT 1::int4").int32(0, 0) } == 1)
        #expect(thread.connectCount == 2)
        await thread.close()
    }

    @Test func replacesASessionLostWhileItWasIdleWithoutAnError() async throws {
        let database = try await TestDatabase.create()
        let thread = PostgresThread(database.ownerConfiguration)
        let statement = PreparedStatement("SELECT pg_backend_pid()")
        let process = try await thread.run { try $0.query(statement).int32(0, 0) }
        let killer = try database.ownerSession()
        try killer.query("SELECT pg_terminate_backend($1)", [.int4(process)])
        let gone = try await eventually {
            try killer.query("SELECT 1 FROM pg_stat_activity WHERE pid = $1", [.int4(process)]).isEmpty
        }
        #expect(gone)
        // The statement is prepared anew in the new session.
        let replaced = try await thread.run { try $0.query(statement).int32(0, 0) }
        #expect(replaced != process)
        await thread.close()
    }

    @Test func preparesEachNewSession() async throws {
        let database = try await TestDatabase.create()
        let thread = PostgresThread(database.ownerConfiguration) { try $0.execute("SET work_mem = '77MB'") }
        for _ in 0..<2 {
            #expect(try await thread.run { try $0.query("SHOW work_mem").text(0, 0) } == "77MB")
            _ = await asyncPostgresError {
                try await thread.run { try $0.execute("SELECT pg_terminate_backend(pg_backend_pid())") }
            }
        }
        await thread.close()
    }

    @Test func aTransactionLeftOpenIsRolledBack() async throws {
        let thread = PostgresThread(try await TestDatabase.create().ownerConfiguration)
        try await thread.run { try $0.execute("CREATE TABLE t (id int8); BEGIN; INSERT INTO t VALUES (1)") }
        #expect(try await thread.run { $0.isInTransaction } == false)
        #expect(thread.connectCount == 1)
        await thread.close()
    }

    @Test(.timeLimit(.minutes(3))) func cancellingTheTaskCancelsTheQuery() async throws {
        let database = try await TestDatabase.create()
        let thread = PostgresThread(database.ownerConfiguration)
        let process = try await thread.run { $0.processID }
        let swallowed = Shared<[PostgresError.Kind?]>([])
        let task = Task {
            try await thread.run { session in
                let first = postgresError { try session.execute("SELECT pg_sleep(50)") }
                // The call was cancelled, so a body that goes on all the same gets no further.
                let second = postgresError { try session.execute("SELECT 1") }
                swallowed.change { $0 = [first?.kind, second?.kind] }
                if let first { throw first }
            }
        }
        let observer = try database.ownerSession()
        let sleeping = try await eventually {
            let query = "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state = 'active' AND query LIKE '%pg_sleep%'"
            return try observer.query(query, [.int4(process)]).rowCount == 1
        }
        #expect(sleeping)
        task.cancel()
        #expect(await asyncPostgresError { try await task.value }?.kind == .cancelled)
        #expect(swallowed.value == [.cancelled, .cancelled])
        // The session itself is as good as before.
        #expect(try await thread.run { $0.processID } == process)
        await thread.close()
    }

    @Test(.timeLimit(.minutes(3))) func aCancelledTransactionIsRolledBack() async throws {
        let database = try await TestDatabase.create()
        let thread = PostgresThread(database.ownerConfiguration)
        let process = try await thread.run { session in
            try session.execute("CREATE TABLE t (id int8)")
            return session.processID
        }
        let task = Task {
            try await thread.run { session in
                try session.transaction { session in
                    try session.execute("INSERT INTO t VALUES (1)")
                    try session.execute("SELECT pg_sleep(50)")
                }
            }
        }
        let observer = try database.ownerSession()
        let query = "SELECT 1 FROM pg_stat_activity WHERE pid = $1 AND state = 'active' AND query LIKE '%pg_sleep%'"
        #expect(try await eventually { try observer.query(query, [.int4(process)]).rowCount == 1 })
        task.cancel()
        #expect(await asyncPostgresError { try await task.value }?.kind == .cancelled)
        #expect(try await thread.run { try $0.query("SELECT count(*) FROM t").int64(0, 0) } == 0)
        #expect(thread.connectCount == 1)
        await thread.close()
    }

    @Test(.timeLimit(.minutes(3))) func aCallCancelledWhileItWaitsNeverRuns() async throws {
        let thread = PostgresThread(try await TestDatabase.create().ownerConfiguration)
        let gate = DispatchSemaphore(value: 0)
        let blocker = Task { try await thread.run { _ in gate.wait() } }
        let ran = Shared(false)
        let waiter = Task { try await thread.run { _ in ran.change { $0 = true } } }
        waiter.cancel()
        // The request of the cancelled task travels on another queue; let it arrive before the door opens.
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + 0.05) { continuation.resume() }
        }
        gate.signal()
        try await blocker.value
        #expect(await asyncPostgresError { try await waiter.value }?.kind == .cancelled)
        #expect(!ran.value)
        await thread.close()
    }

    /// Cancels at random moments: the calls after must never be hit.
    @Test(.timeLimit(.minutes(3))) func aLateCancellationNeverHitsTheNextCall() async throws {
        let thread = PostgresThread(try await TestDatabase.create().ownerConfiguration)
        for round in 0..<60 {
            let task = Task { try await thread.run { try $0.execute("SELECT pg_sleep(0.001)") } }
            if round % 3 > 0 { try? await Task.sleep(for: .microseconds(300 * (round % 7))) }
            task.cancel()
            let next = try await thread.run { try $0.query("SELECT $1::int4", [.int4(5)]).int32(0, 0) }
            #expect(next == 5)
            _ = await task.result
        }
        #expect(thread.connectCount == 1)
        await thread.close()
    }
}
