import Dispatch
import EventStore
import Postgres
import Synchronization

/// Holds the log's lock on a session of its own, so that appends queue up behind it.
final class LogLock: Sendable {
    private let thread: PostgresThread
    private let end = DispatchSemaphore(value: 0)
    private let holding: Task<Void, any Error>

    /// Takes the lock.
    init(_ database: StoreDatabase) async throws {
        let thread = PostgresThread(PostgresConfiguration(connectionString: database.ownerConnectionString))
        let end = end
        let (taken, told) = AsyncStream.makeStream(of: Void.self)
        holding = Task {
            defer { told.finish() }
            try await thread.run { session in
                try session.transaction { session in
                    try session.execute("SELECT FROM entitled.log_head FOR UPDATE")
                    told.yield()
                    end.wait()
                }
            }
        }
        self.thread = thread
        for await _ in taken { return }
        try await holding.value
    }

    /// Gives the lock back.
    func release() async throws {
        end.signal()
        try await holding.value
        await thread.close()
    }

    /// Runs appends at once while the lock is held, and releases it when all of them are under way.
    ///
    /// - Returns: what became of each.
    static func appendTogether(
        _ requests: [AppendRequest],
        to store: PostgresEventStore,
        in database: StoreDatabase
    ) async throws -> [Result<AppendOutcome, StoreError>] {
        let lock = try await LogLock(database)
        let started = StartCount()
        return try await withThrowingTaskGroup(of: (Int, Result<AppendOutcome, StoreError>)?.self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask {
                    started.add()
                    do throws(StoreError) {
                        return (index, .success(try await store.append(request)))
                    } catch {
                        return (index, .failure(error))
                    }
                }
            }
            group.addTask {
                _ = await eventually { started.value == requests.count }
                try await lock.release()
                return nil
            }
            let results = try await group.reduce(into: [Int: Result<AppendOutcome, StoreError>]()) { results, item in
                if let (index, result) = item { results[index] = result }
            }
            return requests.indices.map { results[$0]! }
        }
    }

    private final class StartCount: Sendable {
        private let count = Atomic(0)
        func add() { count.add(1, ordering: .relaxed) }
        var value: Int { count.load(ordering: .relaxed) }
    }
}
