import EntitlementDomain
import Synchronization

/// A clock that a test sets.
final class ManualClock: Sendable {
    private let state: Mutex<Instant>

    init(_ start: Instant) {
        state = Mutex(start)
    }

    var now: Instant { state.withLock { $0 } }

    func set(_ instant: Instant) {
        state.withLock { $0 = instant }
    }

    func advance(_ duration: Duration) {
        let milliseconds =
            duration.components.seconds * 1_000 + duration.components.attoseconds / 1_000_000_000_000_000
        state.withLock { $0 = $0.advanced(byMilliseconds: milliseconds) }
    }
}
