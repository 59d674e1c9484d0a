import EntitlementAPI
import EventStore
import Synchronization

/// Counters of the service, written in Prometheus' text format.
final class ServiceMetrics: Sendable {
    private struct Series: Hashable {
        var name: String
        var labels: String
    }

    private struct State {
        var counters: [Series: Double] = [:]
        /// The product ids that have a series of their own.
        var unmappedProducts: Set<String> = []
    }

    /// Product ids come from statements of the App Store, not from a list of this service: the rest share one series.
    static let maximumProducts = 100

    private static let help = [
        "entitled_rpc_calls_total": "JSON-RPC calls by method and outcome.",
        "entitled_rpc_seconds_total": "Time spent in JSON-RPC calls by method, in seconds.",
        "entitled_notifications_total": "App Store notifications by outcome.",
        "entitled_events_appended_total": "Events this instance has appended.",
        "entitled_appstore_calls_total": "Calls of the App Store Server API by HTTP status; none: no response came.",
        "entitled_consumption_requests_total": "Answers to requests for consumption information by outcome.",
        "entitled_reconcile_runs_total": "Runs of reconciliation by outcome.",
        "entitled_reconcile_notifications_total": "Notifications fetched from the App Store's history by outcome.",
        "entitled_reconcile_lines_total": "Lines that the App Store was asked about, by what was suspicious.",
        "entitled_reconcile_out_of_reach_seconds_total":
            "Time whose notifications the App Store did not keep any more when they were asked for, in seconds.",
        "entitled_unmapped_products_total":
            "Appended transactions of products that the catalog does not map, by product.",
    ]

    private let state = Mutex(State())
    /// The calls that are answered in the quick way, which must not wait for a lock.
    private let quickGets = QuickCounter()
    private let quickChecks = QuickCounter()
    private let collectors = Mutex<[@Sendable () -> [MetricSample]]>([])

    func countCall(_ method: String, outcome: String, duration: Duration) {
        let seconds = Double(duration.components.attoseconds) / 1e18 + Double(duration.components.seconds)
        state.withLock { state in
            let labels = "method=\"\(method)\",outcome=\"\(outcome)\""
            state.counters[Series(name: "entitled_rpc_calls_total", labels: labels), default: 0] += 1
            state.counters[Series(name: "entitled_rpc_seconds_total", labels: "method=\"\(method)\""), default: 0] +=
                seconds
        }
    }

    /// Counts a call that was answered from memory.
    func countQuick(_ method: QuickCall.Method, duration: Duration) {
        switch method {
        case .get: quickGets.add(duration)
        case .check: quickChecks.add(duration)
        }
    }

    /// Adds values that are asked for when the metrics are.
    func collect(_ samples: @escaping @Sendable () -> [MetricSample]) {
        collectors.withLock { $0.append(samples) }
    }

    func countNotification(_ outcome: String) {
        add("entitled_notifications_total", "outcome=\"\(outcome)\"", 1)
    }

    /// Counts what an append has brought.
    func count(_ outcome: AppendOutcome) {
        if !outcome.events.isEmpty { add("entitled_events_appended_total", "", Double(outcome.events.count)) }
        if let productID = outcome.unmappedProductID { countUnmapped(productID) }
    }

    private func countUnmapped(_ productID: String) {
        state.withLock { state in
            let isNamed =
                state.unmappedProducts.contains(productID) || state.unmappedProducts.count < Self.maximumProducts
            if isNamed { state.unmappedProducts.insert(productID) }
            let label = isNamed ? Self.labelText(productID) : "(others)"
            let series = Series(name: "entitled_unmapped_products_total", labels: "product=\"\(label)\"")
            state.counters[series, default: 0] += 1
        }
    }

    /// A label's value as the text format wants it.
    private static func labelText(_ value: String) -> String {
        var text = ""
        for character in value.unicodeScalars.prefix(128) {
            switch character {
            case "\\": text += "\\\\"
            case "\"": text += "\\\""
            case "\n": text += "\\n"
            default: text.unicodeScalars.append(character)
            }
        }
        return text
    }

    func add(_ name: String, _ labels: String, _ value: Double) {
        state.withLock { $0.counters[Series(name: name, labels: labels), default: 0] += value }
    }

    /// All counters in Prometheus' text format (version 0.0.4).
    var text: String {
        var counters = state.withLock { $0.counters }
        for (counter, method) in [(quickGets, EntitlementsGet.name), (quickChecks, EntitlementsCheck.name)] {
            let (count, seconds) = counter.value
            if count == 0 { continue }
            let labels = "method=\"\(method)\""
            let calls = Series(name: "entitled_rpc_calls_total", labels: labels + ",outcome=\"result\"")
            counters[calls, default: 0] += count
            counters[Series(name: "entitled_rpc_seconds_total", labels: labels), default: 0] += seconds
        }
        var lines: [String] = []
        for name in Self.help.keys.sorted() {
            lines.append("# HELP \(name) \(Self.help[name] ?? "")")
            lines.append("# TYPE \(name) counter")
            for (series, value) in counters.filter({ $0.key.name == name }).sorted(by: { $0.key.labels < $1.key.labels }
            ) {
                let labels = series.labels.isEmpty ? "" : "{\(series.labels)}"
                lines.append("\(name)\(labels) \(value)")
            }
        }
        let samples = collectors.withLock { $0 }.flatMap { $0() }
        for sample in samples { lines += sample.lines }
        return lines.joined(separator: "\n") + "\n"
    }
}
