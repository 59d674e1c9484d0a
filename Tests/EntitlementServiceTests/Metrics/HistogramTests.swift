import TestKit
import Testing

@testable import EntitlementService

@Suite struct HistogramTests {
    @Test func everyObservationIsInTheBucketOfItsSize() {
        var random = SeededGenerator(
            seed: SeededGenerator.seedOfThisRun("everyObservationIsInTheBucketOfItsSize")
        )
        let histogram = Histogram(Histogram.latencies)
        var (expected, sum) = (Array(repeating: UInt64(0), count: Histogram.latencies.count + 1), 0.0)
        for _ in 0..<10_000 {
            // As many short ones as long ones.
            let nanoseconds = Int64(1) << Int64.random(in: 0...36, using: &random)
            histogram.observe(.nanoseconds(nanoseconds))
            let seconds = Double(nanoseconds) / 1e9
            expected[Histogram.latencies.firstIndex { seconds <= $0 } ?? Histogram.latencies.count] += 1
            sum += seconds
        }
        let values = histogram.values
        #expect(values.buckets == expected)
        #expect(values.count == 10_000)
        #expect(abs(values.sum - sum) < 1e-3)
    }

    @Test func aBoundBelongsToItsBucket() {
        let histogram = Histogram([0.001, 1])
        for duration: Duration in [.milliseconds(1), .seconds(1), .seconds(1) + .nanoseconds(1), .zero, .seconds(-5)] {
            histogram.observe(duration)
        }
        #expect(histogram.values.buckets == [3, 1, 1])
    }

    @Test func daysDoNotOverflow() {
        let histogram = Histogram(Histogram.delays, unit: .milliseconds)
        for _ in 0..<1_000 { histogram.observe(.seconds(400 * 86_400)) }
        #expect(histogram.values.sum == 1_000 * 400 * 86_400)
        #expect(histogram.values.buckets.last == 1_000)
    }

    @Test func nothingIsLostBetweenThreads() async {
        let histogram = Histogram(Histogram.latencies)
        await withTaskGroup(of: Void.self) { group in
            for number in 1...8 {
                group.addTask { for _ in 0..<10_000 { histogram.observe(.microseconds(number * 30)) } }
            }
        }
        #expect(histogram.values.count == 80_000)
    }
}
