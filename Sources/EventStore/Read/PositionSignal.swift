import EntitlementDomain
import Synchronization

/// Wakes those who wait for the log to grow, when this instance has appended.
final class PositionSignal: Sendable {
    private struct State {
        var nextID = 0
        var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    /// Notes that the log has reached a position.
    func reached(_ position: LogPosition) {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            return state.waiters.values.map(\.self)
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns when the log has grown here, or after a time: another instance may have appended.
    func waitForChange(upTo limit: Duration) async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        await withCheckedContinuation { continuation in
            state.withLock { $0.waiters[id] = continuation }
            // Started only now: a timer that fired before the waiter was there would wake nobody.
            Task { [weak self] in
                try? await Task.sleep(for: limit)
                self?.wake(id)
            }
        }
    }

    private func wake(_ id: Int) {
        state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
    }
}
