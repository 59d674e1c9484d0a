import EntitlementAPI
import Synchronization

/// Counts the calls of JSON-RPC methods by outcome, and the time they took.
final class CallMetrics: Sendable {
    private final class Method: Sendable {
        let durations = Histogram(Histogram.latencies)
        let outcomes = Mutex<[String: UInt64]>([:])
    }

    private let methods = Mutex<[String: Method]>([:])
    /// The calls that are answered in the quick way, which must not wait for a lock.
    private let quickGets = Histogram(Histogram.latencies)
    private let quickChecks = Histogram(Histogram.latencies)

    func count(_ name: String, outcome: String, duration: Duration) {
        let method = methods.withLock { methods in
            if let known = methods[name] { return known }
            let new = Method()
            methods[name] = new
            return new
        }
        method.durations.observe(duration)
        method.outcomes.withLock { $0[outcome, default: 0] += 1 }
    }

    /// Counts a call that was answered from memory.
    func countQuick(_ method: QuickCall.Method, duration: Duration) {
        switch method {
        case .get: quickGets.observe(duration)
        case .check: quickChecks.observe(duration)
        }
    }

    var families: [MetricFamily] {
        var durations: [String: Histogram.Values] = [:]
        var outcomes: [String: [String: UInt64]] = [:]
        for (name, method) in methods.withLock({ $0 }) {
            durations[name] = method.durations.values
            outcomes[name] = method.outcomes.withLock { $0 }
        }
        for (name, quick) in [(EntitlementsGet.name, quickGets), (EntitlementsCheck.name, quickChecks)] {
            let values = quick.values
            if values.count == 0 { continue }
            durations[name] = durations[name].map { $0 + values } ?? values
            outcomes[name, default: [:]]["result", default: 0] += values.count
        }
        var calls = MetricFamily(
            "entitled_rpc_calls_total",
            .counter,
            "JSON-RPC calls by method and outcome: result, or the reason or code of the error."
        )
        var times = MetricFamily(
            "entitled_rpc_duration_seconds",
            .histogram,
            "Time that JSON-RPC calls took, by method."
        )
        for (name, values) in durations.sorted(by: { $0.key < $1.key }) {
            for (outcome, count) in (outcomes[name] ?? [:]).sorted(by: { $0.key < $1.key }) {
                calls.add([("method", name), ("outcome", outcome)], Double(count))
            }
            times.add([("method", name)], values)
        }
        return [calls, times]
    }
}
