/// Hands out the instants at which works begin, so that their rate stays below a bound.
struct TrafficPace: Sendable {
    private let interval: Duration?
    private var next = ContinuousClock.now

    /// - Parameter rate: works a second; nil: no bound.
    init(rate: Double?) {
        interval = rate.map { .seconds(1 / max($0, 0.001)) }
    }

    /// When the next work is to begin. What an outage held up is not made up for.
    mutating func take() -> ContinuousClock.Instant {
        guard let interval else { return .now }
        next = max(next, .now - interval) + interval
        return next
    }
}
