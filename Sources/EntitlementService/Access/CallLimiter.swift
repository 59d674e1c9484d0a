import EntitlementAPI
import EntitlementDomain
import JSON
import JSONRPC
import Synchronization

/// Keeps one key to its rate on this instance.
final class CallLimiter: Sendable {
    let callsPerSecond: Int
    private let budget: Mutex<CallBudget>
    private let clock: @Sendable () -> Instant

    init(callsPerSecond: Int, clock: @escaping @Sendable () -> Instant) {
        self.callsPerSecond = callsPerSecond
        self.clock = clock
        budget = Mutex(CallBudget(callsPerSecond: callsPerSecond, now: clock()))
    }

    /// Charges one call.
    ///
    /// - Throws: `rateLimited`, with `retryAfterMs`, when the key has used up its rate; the call is not charged then.
    func charge() throws(JSONRPCError) {
        let now = clock()
        guard let wait = budget.withLock({ $0.take(at: now) }) else { return }
        throw ErrorReason.rateLimited.error(
            "This API key may make \(callsPerSecond) call(s) a second; try again in \(wait) ms.",
            details: ["retryAfterMs": .number(JSONNumber(wait))]
        )
    }
}
