import Foundation
import Postgres
import PostgresTesting
import Synchronization
import Testing

/// Waits until `condition` holds, for ten seconds at most.
///
/// - Returns: whether it came to hold.
func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(60)
    while ContinuousClock.now < deadline {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return false
}

/// The database error `body` throws; nil when it throws none or another.
func postgresError(_ body: () throws -> Void) -> PostgresError? {
    do {
        try body()
        return nil
    } catch {
        return error as? PostgresError
    }
}

/// As above, for asynchronous work.
func asyncPostgresError(_ body: () async throws -> Void) async -> PostgresError? {
    do {
        try await body()
        return nil
    } catch {
        return error as? PostgresError
    }
}

/// A value that several tasks and threads of a test write to.
final class Shared<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) {
        mutex = Mutex(value)
    }

    var value: Value { mutex.withLock { $0 } }

    func change(_ body: (inout Value) -> Void) {
        mutex.withLock { value in body(&value) }
    }
}

/// Cancels a session's command as soon as there is one, from a thread of its own: the test itself may block the thread
/// it runs on.
func cancelSoon(_ handle: PostgresCancelHandle) {
    DispatchQueue.global().async {
        let deadline = ContinuousClock.now + .seconds(20)
        while !handle.cancel(), ContinuousClock.now < deadline { usleep(500) }
    }
}
