import EntitlementDomain
import EventStore
import Synchronization

/// Reads that are under way, so that many who ask for one account at the same time cost one query.
///
/// A read that began before a change must not be joined by somebody who asks after it: with the news of a change the
/// account's read is detached. Those who joined before get it; later ones begin another.
final class ReadFlights: Sendable {
    /// One read and those who wait for it.
    private final class Flight: Sendable {
        private enum State {
            case running([CheckedContinuation<AccountRead, any Error>])
            case ended(Result<AccountRead, any Error>)
        }

        private let state = Mutex(State.running([]))

        /// What the read found.
        func value() async throws -> AccountRead {
            try await withCheckedThrowingContinuation { continuation in
                let result: Result<AccountRead, any Error>? = state.withLock { state in
                    switch state {
                    case .ended(let result): return result
                    case .running(let waiting):
                        state = .running(waiting + [continuation])
                        return nil
                    }
                }
                if let result { continuation.resume(with: result) }
            }
        }

        func end(_ result: Result<AccountRead, any Error>) {
            let waiting = state.withLock { state in
                defer { state = .ended(result) }
                if case .running(let waiting) = state { return waiting }
                return []
            }
            for continuation in waiting { continuation.resume(with: result) }
        }
    }

    private final class Part: Sendable {
        let flights = Mutex<[AnswerKey: Flight]>([:])
    }

    private let parts = (0..<16).map { _ in Part() }

    private func part(_ key: AnswerKey) -> Part { parts[Int(truncatingIfNeeded: key.account.low & 15)] }

    /// The read of an account that is under way, or a new one.
    ///
    /// - Parameter work: reads; it must not end early when its task is cancelled, since others may wait for it.
    /// - Throws: what the work throws.
    func read(_ key: AnswerKey, _ work: () async throws -> AccountRead) async throws -> AccountRead {
        let part = part(key)
        let (flight, isNew) = part.flights.withLock { flights in
            if let flight = flights[key] { return (flight, false) }
            let flight = Flight()
            flights[key] = flight
            return (flight, true)
        }
        if !isNew { return try await flight.value() }
        let result: Result<AccountRead, any Error>
        do {
            result = .success(try await work())
        } catch {
            result = .failure(error)
        }
        part.flights.withLock { flights in
            if flights[key] === flight { flights[key] = nil }
        }
        flight.end(result)
        return try result.get()
    }

    /// Lets nobody join the read of an account any more.
    func detach(_ key: AnswerKey) {
        part(key).flights.withLock { _ = $0.removeValue(forKey: key) }
    }

    /// Lets nobody join any read that is under way.
    func detachAll() {
        for part in parts { part.flights.withLock { $0 = [:] } }
    }
}
