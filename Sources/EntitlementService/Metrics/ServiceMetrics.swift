import EventStore
import Synchronization

/// What the service counts, written in Prometheus' text format.
final class ServiceMetrics: Sendable {
    private struct Series: Hashable {
        var name: String
        var label: String
        var value: String
    }

    private static let help = [
        "entitled_appstore_calls_total": "Calls of the App Store Server API by HTTP status; none: no response came.",
        "entitled_consumption_requests_total": "Answers to requests for consumption information by outcome.",
        "entitled_reconcile_runs_total": "Runs of reconciliation by outcome.",
        "entitled_reconcile_notifications_total": "Notifications fetched from the App Store's history by outcome.",
        "entitled_reconcile_lines_total": "Lines that the App Store was asked about, by what was suspicious.",
        "entitled_reconcile_out_of_reach_seconds_total":
            "Time whose notifications the App Store did not keep any more when they were asked for, in seconds.",
    ]

    let http = HTTPMetrics()
    let ingest = IngestMetrics()
    private let calls = CallMetrics()
    private let counters = Mutex<[Series: Double]>([:])
    private let collectors = Mutex<[@Sendable () -> [MetricFamily]]>([])

    func countCall(_ method: String, outcome: String, duration: Duration) {
        calls.count(method, outcome: outcome, duration: duration)
    }

    /// Counts a call that was answered from memory.
    func countQuick(_ method: QuickCall.Method, duration: Duration) {
        calls.countQuick(method, duration: duration)
    }

    /// Adds values that are asked for when the metrics are.
    func collect(_ families: @escaping @Sendable () -> [MetricFamily]) {
        collectors.withLock { $0.append(families) }
    }

    /// Counts what an append has brought, and notes it for the log's line about the request.
    func count(_ outcome: AppendOutcome) {
        ingest.count(outcome)
        RequestTrace.current?.note(outcome)
    }

    /// Counts under one label, or under none when its name is empty.
    func add(_ name: String, _ label: String = "", _ value: String = "", _ amount: Double = 1) {
        counters.withLock { $0[Series(name: name, label: label, value: value), default: 0] += amount }
    }

    /// Everything in Prometheus' text format (version 0.0.4), in the order of the names.
    var text: String {
        var families = calls.families + ingest.families + [http.family]
        let counters = counters.withLock { $0 }
        for (name, help) in Self.help {
            var family = MetricFamily(name, .counter, help)
            for (series, value) in counters.filter({ $0.key.name == name }).sorted(by: { $0.key.value < $1.key.value })
            {
                family.add(series.label.isEmpty ? [] : [(series.label, series.value)], value)
            }
            families.append(family)
        }
        families += collectors.withLock { $0 }.flatMap { $0() }
        var text = ""
        for family in families.sorted(by: { $0.name < $1.name }) { family.write(to: &text) }
        return text
    }
}
