import EntitlementDomain
import EventStore
import Synchronization

/// Reads that are under way, so that many who ask for one account at the same time cost one query.
///
/// A read that began before a change must not be joined by somebody who asks after it: with the news of a change the
/// account's read is detached. Those who joined before get it; later ones begin another.
final class ReadFlights: Sendable {
    private struct Flight {
        var number: UInt64
        var task: Task<AccountRead, any Error>
    }

    private struct State {
        var flights: [AnswerKey: Flight] = [:]
        var lastNumber: UInt64 = 0
    }

    private let state = Mutex(State())

    /// The read of an account that is under way, or a new one.
    ///
    /// - Throws: what the work throws. The work is not cancelled with the one who asks: others may wait for it.
    func read(
        _ key: AnswerKey,
        _ work: @escaping @Sendable () async throws -> AccountRead
    ) async throws -> AccountRead {
        let task = state.withLock { state in
            if let flight = state.flights[key] { return flight.task }
            state.lastNumber += 1
            let number = state.lastNumber
            let task = Task {
                defer { self.end(key, number) }
                return try await work()
            }
            state.flights[key] = Flight(number: number, task: task)
            return task
        }
        return try await task.value
    }

    /// Lets nobody join the read of an account any more.
    func detach(_ key: AnswerKey) {
        state.withLock { _ = $0.flights.removeValue(forKey: key) }
    }

    /// Lets nobody join any read that is under way.
    func detachAll() {
        state.withLock { $0.flights = [:] }
    }

    private func end(_ key: AnswerKey, _ number: UInt64) {
        state.withLock { state in
            if state.flights[key]?.number == number { state.flights[key] = nil }
        }
    }
}
