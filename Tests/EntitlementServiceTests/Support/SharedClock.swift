import EntitlementDomain
import Synchronization

/// A clock that a test sets.
final class SharedClock: Sendable {
    private let instant: Mutex<Instant>

    init(_ now: Instant) {
        instant = Mutex(now)
    }

    var now: Instant {
        get { instant.withLock { $0 } }
        set { instant.withLock { $0 = newValue } }
    }
}
