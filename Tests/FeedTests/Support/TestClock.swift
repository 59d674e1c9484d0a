import EntitlementDomain
import Synchronization

/// A clock that stands still until a test moves it.
final class TestClock: Sendable {
    private let instant: Mutex<Instant>

    init(_ instant: Instant = Sample.day(0)) {
        self.instant = Mutex(instant)
    }

    var now: Instant {
        get { instant.withLock { $0 } }
        set { instant.withLock { $0 = newValue } }
    }
}
