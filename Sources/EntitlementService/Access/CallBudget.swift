package import EntitlementDomain

/// How many calls a key may still make: a bucket that holds the calls of one second and fills at its rate.
package struct CallBudget: Sendable, Hashable {
    /// Calls a second, and the most at once.
    package let callsPerSecond: Int
    /// In thousandths of a call: at a rate of n calls a second, n of them flow in each millisecond.
    private var level: Int
    private var filledAt: Instant

    /// A full bucket.
    package init(callsPerSecond: Int, now: Instant) {
        self.callsPerSecond = max(1, callsPerSecond)
        level = self.callsPerSecond * 1_000
        filledAt = now
    }

    /// Takes one call.
    ///
    /// - Returns: nil when it may be made; else after how many milliseconds the next one may.
    package mutating func take(at now: Instant) -> Int64? {
        // A clock that was set back fills nothing, and goes on from where it is.
        let elapsed = Int(min(max(0, now.milliseconds - filledAt.milliseconds), 1_000))
        level = min(callsPerSecond * 1_000, level + elapsed * callsPerSecond)
        filledAt = now
        if level >= 1_000 {
            level -= 1_000
            return nil
        }
        return Int64((1_000 - level + callsPerSecond - 1) / callsPerSecond)
    }
}
