import Synchronization

/// Counts durations by size, without a lock: each observation is two additions.
final class Histogram: Sendable {
    /// What a histogram's numbers stand for.
    enum Unit: Sendable {
        case nanoseconds
        case milliseconds

        fileprivate var perSecond: Double { self == .nanoseconds ? 1e9 : 1e3 }
    }

    /// What was counted until one moment.
    struct Values: Sendable {
        /// The upper bounds in seconds; the last bucket has none.
        let bounds: [Double]
        /// Observations in each bucket alone, one bucket more than there are bounds.
        var buckets: [UInt64]
        /// Of all observations, in seconds.
        var sum: Double

        var count: UInt64 { buckets.reduce(0, +) }

        /// Both together; they have the same bounds.
        static func + (left: Values, right: Values) -> Values {
            precondition(left.bounds == right.bounds, "histograms with other bounds cannot be added")
            return Values(
                bounds: left.bounds,
                buckets: zip(left.buckets, right.buckets).map { $0 + $1 },
                sum: left.sum + right.sum
            )
        }
    }

    /// From an answer out of memory to one that ran into a time limit, in seconds.
    static let latencies: [Double] = [
        0.000_05, 0.000_1, 0.000_25, 0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
        30,
    ]
    /// From a delivery at once to the App Store's last repetition, which comes six and a half days later, in seconds.
    static let delays: [Double] = [
        0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600, 14_400, 43_200, 86_400, 172_800, 345_600, 604_800,
    ]

    private static let capacity = 20

    private let seconds: [Double]
    private let bounds: [UInt64]
    private let unit: Unit
    private let buckets: InlineArray<20, Atomic<UInt64>>
    private let sum = Atomic<UInt64>(0)

    /// - Parameter bounds: at most 19, in seconds, rising.
    init(_ bounds: [Double], unit: Unit = .nanoseconds) {
        precondition(bounds.count < Self.capacity, "a histogram has room for \(Self.capacity - 1) bounds")
        seconds = bounds
        self.unit = unit
        self.bounds = bounds.map { UInt64($0 * unit.perSecond) }
        buckets = InlineArray { _ in Atomic(0) }
    }

    func observe(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        guard seconds >= 0, attoseconds >= 0 else { return observe(0) }
        switch unit {
        case .nanoseconds: observe(UInt64(seconds) &* 1_000_000_000 &+ UInt64(attoseconds / 1_000_000_000))
        case .milliseconds: observe(UInt64(seconds) &* 1_000 &+ UInt64(attoseconds / 1_000_000_000_000_000))
        }
    }

    private func observe(_ value: UInt64) {
        var index = 0
        while index < bounds.count, value > bounds[index] { index += 1 }
        buckets[index].add(1, ordering: .relaxed)
        sum.add(value, ordering: .relaxed)
    }

    var values: Values {
        Values(
            bounds: seconds,
            buckets: (0...bounds.count).map { buckets[$0].load(ordering: .relaxed) },
            sum: Double(sum.load(ordering: .relaxed)) / unit.perSecond
        )
    }
}
