import AppStore
import EntitlementDomain
package import EventStore
import Synchronization
import X509

/// Heals what is missing in the log from the App Store's own records: notifications that did not arrive, and lines whose
/// state is suspicious. Of any number of instances one does it at a time.
package final class Reconciler: Sendable {
    private let settings: ReconcileSettings
    private let clients: AppStoreClients
    private let budget: ReconcileBudget
    private let intake: StatementIntake
    private let review: LineReview
    private let store: PostgresEventStore
    private let metrics: ServiceMetrics
    private let clock: @Sendable () -> Instant
    private let holder: String

    init(
        _ access: AppStoreAccess,
        apps: some Sequence<String>,
        reader: StatementReader,
        store: PostgresEventStore,
        metrics: ServiceMetrics,
        consumption: ConsumptionResponder,
        clock: @escaping @Sendable () -> Instant
    ) throws(X509Error) {
        settings = access.reconciliation
        budget = ReconcileBudget(limit: access.reconciliation.callsPerHour, clock: clock)
        clients = AppStoreClients(
            access,
            apps: apps,
            transport: CountingTransport(transport: access.transport, metrics: metrics, budget: budget),
            reader: reader,
            retries: ReconcileRun.retries,
            clock: clock
        )
        intake = StatementIntake(store: store, metrics: metrics, consumption: consumption, clock: clock)
        review = LineReview(clients: clients, intake: intake, metrics: metrics, policy: store.policy)
        self.store = store
        self.metrics = metrics
        self.clock = clock
        holder = Hexadecimal.text(try SecureRandom.bytes(12))
    }

    /// Does what is due, or everything.
    ///
    /// - Returns: nil when another instance is at it.
    /// - Throws: `StoreError` when the database does not answer at the start.
    package func run(_ mode: ReconcileMode = .due) async throws(StoreError) -> ReconcileReport? {
        let hour = ReconcileBudget.hour(of: clock())
        guard
            let lease = try await store.takeReconcileLease(
                holder: holder,
                for: ReconcileRun.leaseDuration,
                hour: hour
            )
        else { return nil }
        let run = ReconcileRun(store: store, budget: budget, lease: lease)
        var report = ReconcileReport()
        do throws(ReconcileStop) {
            let isWhole = try await work(run, mode, into: &report)
            metrics.countReconciliation(isWhole ? "complete" : "incomplete")
        } catch {
            report.stop = error.description
            metrics.countReconciliation("stopped")
        }
        report.calls = budget.total
        // The lease ends by itself where this fails.
        try? await store.giveBackReconcileLease(run.lease)
        return report
    }

    /// Whether the background is to call `run` by itself, and how often.
    var interval: Duration? { settings.interval > .zero ? settings.interval : nil }

    /// - Returns: whether every app could be asked in every environment.
    private func work(
        _ run: ReconcileRun,
        _ mode: ReconcileMode,
        into report: inout ReconcileReport
    ) async throws(ReconcileStop) -> Bool {
        var isWhole = true
        for client in clients.all {
            for environment in client.environments {
                let fetch = HistoryFetch(
                    client: client,
                    environment: environment,
                    run: run,
                    intake: intake,
                    metrics: metrics,
                    now: clock()
                )
                let (histories, stop) = try await fetch.run(mode, settings: settings)
                report.histories += histories
                // An app or an environment that fails leaves the others their turn.
                if let stop, !stop.concernsOneApp { throw stop }
                if stop != nil { isWhole = false }
            }
        }
        try await review.run(run, at: clock(), into: &report)
        return isWhole
    }
}

extension ReconcileStop {
    /// Whether the rest can go on.
    fileprivate var concernsOneApp: Bool {
        if case .api(let error) = self, error != .cancelled { true } else { false }
    }
}
