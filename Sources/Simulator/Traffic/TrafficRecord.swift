/// What came of a traffic so far.
package struct TrafficRecord: Sendable {
    /// A statement that was acknowledged.
    package struct Acknowledgement: Sendable {
        /// Its place in the plan.
        package var index: Int
        package var at: ContinuousClock.Instant
        /// Where the log was then, as the service said; nil: a notification, whose answer does not say.
        package var position: String?
    }

    /// Statements that were acknowledged, by their place in the plan.
    package internal(set) var acknowledged: Set<Int> = []
    /// How often each kind of answer came: the status, or the reason of an error; `broken` where none came.
    package internal(set) var answers: [String: Int] = [:]
    /// Works that were answered well, by kind.
    package internal(set) var done: [String: Int] = [:]
    /// Answers that should not be, the first hundred: look-ups that are wrong, errors that are no passing trouble.
    package internal(set) var faults: [String] = []
    package internal(set) var faultCount = 0
    /// Spends that were acknowledged, by the spender's number.
    package internal(set) var spends: [Int: Int] = [:]
    /// Deliveries of statements that had been acknowledged before.
    package internal(set) var repetitions = 0
    /// The longest time without an acknowledged statement since `forgetPause`.
    package internal(set) var longestPause: Duration = .zero
    /// The slowest good answer since `forgetPause`.
    package internal(set) var slowest: Duration = .zero
    package internal(set) var lastAcknowledgedAt: ContinuousClock.Instant?

    /// Good answers of every kind.
    package var doneCount: Int { done.values.reduce(0, +) }

    /// Counts an answer that should not be.
    mutating func fault(_ text: String) {
        faultCount += 1
        if faults.count < 100 { faults.append(text) }
    }

    mutating func noteAcknowledged(at now: ContinuousClock.Instant) {
        if let last = lastAcknowledgedAt { longestPause = max(longestPause, now - last) }
        lastAcknowledgedAt = now
    }
}
