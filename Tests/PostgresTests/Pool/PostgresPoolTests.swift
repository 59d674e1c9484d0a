import Foundation
import Postgres
import PostgresTesting
import Testing

@Suite struct PostgresPoolTests {
    private func pool(size: Int, timeout: Duration = .seconds(20)) async throws -> PostgresPool {
        PostgresPool(try await TestDatabase.create().ownerConfiguration, size: size, acquireTimeout: timeout)
    }

    @Test func neverUsesMoreSessionsThanItMay() async throws {
        let pool = try await pool(size: 3)
        let processes = Shared<Set<Int32>>([])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let answer = try await pool.withSession { session in
                        processes.change { _ = $0.insert(session.processID) }
                        return try session.query("SELECT $1::int4", [.int4(Int32(number))]).int32(0, 0)
                    }
                    #expect(answer == Int32(number))
                }
            }
            try await group.waitForAll()
        }
        #expect(processes.value.count <= 3)
        let statistics = pool.statistics
        #expect(statistics.acquired == 200)
        #expect(statistics.connects <= 3)
        #expect(statistics.idle == 3)
        #expect(statistics.leased == 0)
        #expect(statistics.waiting == 0)
        await pool.close()
    }

    @Test(.timeLimit(.minutes(3))) func servesThoseWhoWaitInTheirOrder() async throws {
        let pool = try await pool(size: 1, timeout: .seconds(120))
        let gate = DispatchSemaphore(value: 0)
        let order = Shared<[Int]>([])
        let blocker = Task { try await pool.withSession { _ in gate.wait() } }
        #expect(await eventually { pool.statistics.leased == 1 })
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<20 {
            tasks.append(Task { try await pool.withSession { _ in order.change { $0.append(number) } } })
            #expect(await eventually { pool.statistics.waiting == number + 1 })
        }
        gate.signal()
        try await blocker.value
        for task in tasks { try await task.value }
        #expect(order.value == Array(0..<20))
        await pool.close()
    }

    @Test(.timeLimit(.minutes(3))) func aWaitThatTakesTooLongIsATypedError() async throws {
        let pool = try await pool(size: 1, timeout: .milliseconds(60))
        let gate = DispatchSemaphore(value: 0)
        let blocker = Task { try await pool.withSession { _ in gate.wait() } }
        #expect(await eventually { pool.statistics.leased == 1 })
        let start = ContinuousClock.now
        let errors = await withTaskGroup(of: PostgresError?.self) { group in
            for _ in 0..<5 { group.addTask { await asyncPostgresError { try await pool.withSession { _ in } } } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(errors.allSatisfy { $0?.kind == .timeout && $0?.isTransient == true })
        #expect(ContinuousClock.now - start >= .milliseconds(60))
        #expect(pool.statistics.timedOut == 5)
        #expect(pool.statistics.waiting == 0)
        gate.signal()
        try await blocker.value
        try await pool.withSession { _ in }
        await pool.close()
    }

    @Test(.timeLimit(.minutes(3))) func aCancelledWaiterLeavesTheQueue() async throws {
        let pool = try await pool(size: 1)
        let gate = DispatchSemaphore(value: 0)
        let blocker = Task { try await pool.withSession { _ in gate.wait() } }
        #expect(await eventually { pool.statistics.leased == 1 })
        let waiter = Task { try await pool.withSession { _ in } }
        #expect(await eventually { pool.statistics.waiting == 1 })
        waiter.cancel()
        #expect(await asyncPostgresError { try await waiter.value }?.kind == .cancelled)
        #expect(pool.statistics.waiting == 0)
        gate.signal()
        try await blocker.value
        await pool.close()
    }

    @Test(.timeLimit(.minutes(3))) func closeRefusesWhoWaitsAndLetsTheRestEnd() async throws {
        let pool = try await pool(size: 1)
        let gate = DispatchSemaphore(value: 0)
        let blocker = Task {
            try await pool.withSession { session in
                gate.wait()
                return try session.query("SELECT 8::int4").int32(0, 0)
            }
        }
        #expect(await eventually { pool.statistics.leased == 1 })
        let waiter = Task { try await pool.withSession { _ in } }
        #expect(await eventually { pool.statistics.waiting == 1 })
        let closing = Task { await pool.close() }
        #expect(await asyncPostgresError { try await waiter.value }?.kind == .closed)
        gate.signal()
        #expect(try await blocker.value == 8)
        await closing.value
        #expect(await asyncPostgresError { try await pool.withSession { _ in } }?.kind == .closed)
    }

    @Test func anErrorGivesTheSessionBack() async throws {
        let pool = try await pool(size: 1)
        for _ in 0..<3 {
            #expect(await asyncPostgresError { try await pool.withSession { try $0.execute("SELECT 1/0") } } != nil)
        }
        #expect(pool.statistics.idle == 1)
        #expect(pool.statistics.connects == 1)
        await pool.close()
    }

    @Test(.timeLimit(.minutes(3))) func manyCallsCancelledAtRandomLeaveThePoolWhole() async throws {
        let pool = try await pool(size: 2)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<120 {
                group.addTask {
                    let task = Task { try await pool.withSession { try $0.execute("SELECT pg_sleep(0.002)") } }
                    try? await Task.sleep(for: .microseconds(200 * (number % 40)))
                    if number % 2 == 0 { task.cancel() }
                    _ = await task.result
                }
            }
        }
        let statistics = pool.statistics
        #expect(statistics.idle == 2)
        #expect(statistics.waiting == 0)
        #expect(try await pool.withSession { try $0.query("SELECT 4::int4").int32(0, 0) } == 4)
        await pool.close()
    }
}
