import Synchronization

/// Lets a few lines of a kind through each second: what strangers can cause must not fill a disk.
final class LogThrottle: Sendable {
    private struct State {
        var second = ContinuousClock.now
        var count = 0
        var suppressed = 0
    }

    private let limit: Int
    private let state = Mutex(State())

    init(perSecond limit: Int) {
        self.limit = limit
    }

    /// - Returns: nil: not this one; otherwise how many were held back since the last.
    func admit() -> Int? {
        state.withLock { state in
            let now = ContinuousClock.now
            if now - state.second >= .seconds(1) {
                state.second = now
                state.count = 0
            }
            guard state.count < limit else {
                state.suppressed += 1
                return nil
            }
            state.count += 1
            defer { state.suppressed = 0 }
            return state.suppressed
        }
    }
}
