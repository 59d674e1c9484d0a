import AppStore
import EventStore
import Synchronization

/// What came in: notifications, uploads, and what was wrong with them.
final class IngestMetrics: Sendable {
    private struct Failure: Hashable {
        var source: String
        var reason: String
    }

    private struct State {
        var notifications: [String: UInt64] = [:]
        var failures: [Failure: UInt64] = [:]
        var events: UInt64 = 0
        var products: [String: UInt64] = [:]
    }

    /// Product ids come from statements of the App Store, not from a list of this service: the rest share one series.
    static let maximumProducts = 100
    /// A label is no place for a text of any length.
    private static let longestProduct = 128

    private let state: Mutex<State>
    private let durations = Histogram(Histogram.latencies)
    private let delays = Histogram(Histogram.delays, unit: .milliseconds)

    /// The series that alerts look at begin with 0: of one that begins with 1, no increase could be seen.
    init() {
        var state = State()
        for outcome in ["appended", "duplicate", "parked", "unavailable", "failed"] { state.notifications[outcome] = 0 }
        for source in ["notification", "upload", "receipt", "api"] {
            for reason in StatementError.Reason.allCases {
                state.failures[Failure(source: source, reason: reason.rawValue)] = 0
            }
        }
        self.state = Mutex(state)
    }

    /// Counts a delivery of a notification.
    func countNotification(_ outcome: String) {
        state.withLock { $0.notifications[outcome, default: 0] += 1 }
    }

    /// Notes how long a notification took to become durable: since it arrived, and since the App Store signed it.
    func observe(sinceArrival duration: Duration, sinceSigning delay: Duration) {
        durations.observe(duration)
        delays.observe(delay)
    }

    /// Counts a signed text that does not verify, or that this service does not take.
    ///
    /// - Parameter source: how it came: `notification`, `upload`, `receipt`, `api`, `quarantine`.
    func countFailure(_ source: String, reason: String) {
        state.withLock { $0.failures[Failure(source: source, reason: reason), default: 0] += 1 }
    }

    /// Counts what an append has brought.
    func count(_ outcome: AppendOutcome) {
        state.withLock { state in
            state.events += UInt64(outcome.events.count)
            guard let id = outcome.unmappedProductID else { return }
            let product = String(id.prefix(Self.longestProduct))
            let isNamed = state.products[product] != nil || state.products.count < Self.maximumProducts
            state.products[isNamed ? product : "(others)", default: 0] += 1
        }
    }

    var families: [MetricFamily] {
        let state = state.withLock { $0 }
        var notifications = MetricFamily(
            "entitled_notifications_total",
            .counter,
            "App Store notifications by outcome."
        )
        for (outcome, count) in state.notifications.sorted(by: { $0.key < $1.key }) {
            notifications.add([("outcome", outcome)], Double(count))
        }
        var failures = MetricFamily(
            "entitled_verification_failures_total",
            .counter,
            "Signed texts that were not taken, by how they came and why."
        )
        for (failure, count) in state.failures.sorted(by: {
            ($0.key.source, $0.key.reason) < ($1.key.source, $1.key.reason)
        }) {
            failures.add([("source", failure.source), ("reason", failure.reason)], Double(count))
        }
        var products = MetricFamily(
            "entitled_unmapped_products_total",
            .counter,
            "Appended transactions of products that the catalog does not map, by product."
        )
        for (product, count) in state.products.sorted(by: { $0.key < $1.key }) {
            products.add([("product", product)], Double(count))
        }
        var times = MetricFamily(
            "entitled_ingest_duration_seconds",
            .histogram,
            "Time from a notification's arrival until its event was durable."
        )
        times.add([], durations.values)
        var lag = MetricFamily(
            "entitled_ingest_lag_seconds",
            .histogram,
            "Time from the App Store's signature on a notification until its event was durable."
        )
        lag.add([], delays.values)
        return [
            notifications, failures, products, times, lag,
            MetricFamily(
                "entitled_events_appended_total",
                .counter,
                "Events this instance has appended.",
                Double(state.events)
            ),
        ]
    }
}
