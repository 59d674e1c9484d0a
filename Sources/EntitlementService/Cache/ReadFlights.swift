import EntitlementDomain
import EventStore
import Synchronization

/// Reads that are under way, so that many who ask for one account at the same time cost one query.
///
/// A read that began before a change must not be joined by somebody who asks after it: with the news of a change the
/// account's read is detached. Those who joined before get it; later ones begin another.
final class ReadFlights: Sendable {
    typealias Completion = @Sendable (Result<AccountRead, StoreError>) -> Void

    /// One read and those who wait for it.
    private final class Flight: Sendable {
        /// Nil: it has landed.
        private let waiting: Mutex<[Completion]?>

        init(_ first: @escaping Completion) {
            waiting = Mutex([first])
        }

        /// - Returns: false when it is too late.
        func join(_ completion: @escaping Completion) -> Bool {
            waiting.withLock { waiting in
                waiting?.append(completion)
                return waiting != nil
            }
        }

        func land(_ result: Result<AccountRead, StoreError>) {
            let waiting = waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting ?? []
            }
            for completion in waiting { completion(result) }
        }
    }

    private final class Part: Sendable {
        let flights = Mutex<[AnswerKey: Flight]>([:])
    }

    private let parts = (0..<16).map { _ in Part() }

    private func part(_ key: AnswerKey) -> Part { parts[Int(truncatingIfNeeded: key.account.low & 15)] }

    /// Joins the read of an account that is under way, or begins one.
    ///
    /// - Parameters:
    ///   - completion: is told what the read found, on whichever thread it ended.
    ///   - begin: begins a read; it must call what it gets once, and must not end early when those who began it are gone,
    ///     since others may wait for it.
    func read(_ key: AnswerKey, _ completion: @escaping Completion, begin: (_ end: @escaping Completion) -> Void) {
        let part = part(key)
        let new = part.flights.withLock { flights -> Flight? in
            if let flight = flights[key], flight.join(completion) { return nil }
            let flight = Flight(completion)
            flights[key] = flight
            return flight
        }
        guard let new else { return }
        begin { result in
            part.flights.withLock { flights in
                if flights[key] === new { flights[key] = nil }
            }
            new.land(result)
        }
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
