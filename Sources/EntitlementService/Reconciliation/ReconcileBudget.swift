import EntitlementDomain
import Synchronization

/// Counts the calls of reconciliation in the hour that runs. What other instances have used comes with the lease.
final class ReconcileBudget: Sendable {
    private static let hour: Int64 = 3_600_000

    private let limit: Int64
    private let clock: @Sendable () -> Instant
    private let state = Mutex((hour: Instant(milliseconds: 0), calls: Int64(0), total: Int64(0)))

    init(limit: Int64, clock: @escaping @Sendable () -> Instant) {
        self.limit = limit
        self.clock = clock
    }

    /// The hour that an instant is in.
    static func hour(of instant: Instant) -> Instant {
        Instant(milliseconds: instant.milliseconds / hour * hour)
    }

    /// Takes over what was used in an hour.
    func begin(hour: Instant, calls: Int64) {
        state.withLock { $0 = (hour, calls, 0) }
    }

    /// Counts a call.
    func count() {
        let now = Self.hour(of: clock())
        state.withLock { state in
            if state.hour < now { (state.hour, state.calls) = (now, 0) }
            state.calls += 1
            state.total += 1
        }
    }

    /// Whether nothing is left of the hour.
    var isSpent: Bool {
        let now = Self.hour(of: clock())
        return state.withLock { $0.hour >= now && $0.calls >= limit }
    }

    /// The hour, and what was used of it.
    var used: (hour: Instant, calls: Int64) { state.withLock { ($0.hour, $0.calls) } }

    /// All calls since `begin`.
    var total: Int64 { state.withLock { $0.total } }
}
