import Postgres
import Synchronization

/// Hands out the numbers of pieces of work, each once, and counts what is done.
final class WorkQueue: Sendable {
    private struct State {
        var next = 0
        var done: Int64 = 0
    }

    private let count: Int
    private let state = Mutex(State())

    init(_ count: Int) {
        self.count = count
    }

    func next() -> Int? {
        state.withLock { state in
            guard state.next < count else { return nil }
            defer { state.next += 1 }
            return state.next
        }
    }

    /// - Returns: what is done with it.
    func finish(_ units: Int64) -> Int64 {
        state.withLock { state in
            state.done += units
            return state.done
        }
    }

    /// Runs work for each number on several threads with a session each.
    static func run(
        _ count: Int,
        on threads: [PostgresThread],
        _ body: @escaping @Sendable (Int, WorkQueue, PostgresSession) throws -> Void
    ) async throws {
        let queue = WorkQueue(count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for thread in threads {
                group.addTask {
                    while let number = queue.next() { try await thread.run { try body(number, queue, $0) } }
                }
            }
            try await group.waitForAll()
        }
    }

    /// Runs work for each number side by side, without a session: it must not block for long.
    static func run(
        _ count: Int,
        workers: Int,
        _ body: @escaping @Sendable (Int, WorkQueue) throws -> Void
    ) async throws {
        let queue = WorkQueue(count)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<max(workers, 1) {
                group.addTask {
                    while let number = queue.next() {
                        try Task.checkCancellation()
                        try body(number, queue)
                        await Task.yield()
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
