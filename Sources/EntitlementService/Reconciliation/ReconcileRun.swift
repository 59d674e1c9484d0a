import AppStore
import EntitlementDomain
import EventStore

/// One run under a lease: the calls it may make, and keeping the lease alive.
final class ReconcileRun: Sendable {
    /// How long the lease lasts by itself: an instance that was killed is replaced after this.
    static let leaseDuration: Duration = .seconds(60)
    /// All tries of one call fit into the lease, which is kept between calls: who waits longer would lose it.
    static let retries = ServerAPIRetries(attempts: 4, longestWait: .seconds(10), longestRateLimitWait: .seconds(10))

    let store: PostgresEventStore
    let budget: ReconcileBudget
    private let holder: String

    init(store: PostgresEventStore, budget: ReconcileBudget, lease: ReconcileLease) {
        self.store = store
        self.budget = budget
        holder = lease.holder
        budget.begin(hour: lease.hour, calls: lease.calls)
    }

    /// What is written to the lease's row.
    var lease: ReconcileLease {
        let used = budget.used
        return ReconcileLease(holder: holder, hour: used.hour, calls: used.calls)
    }

    /// Checks that another call may be made.
    func checkBudget() throws(ReconcileStop) {
        if budget.isSpent { throw .budgetSpent }
    }

    /// Makes a call of the API, unless the hour's calls are used up or the lease is lost.
    func call<Value: Sendable>(
        _ body: () async throws(ServerAPIError) -> Value
    ) async throws(ReconcileStop) -> Value {
        try checkBudget()
        let isKept: Bool
        do throws(StoreError) {
            isKept = try await store.keepReconcileLease(lease, for: Self.leaseDuration)
        } catch {
            throw .store(error)
        }
        guard isKept else { throw .leaseLost }
        do throws(ServerAPIError) {
            return try await body()
        } catch {
            if case .rateLimited(let until) = error { throw .rateLimited(until: until) }
            throw .api(error)
        }
    }

    /// Runs work on the store.
    func storing<Value: Sendable>(
        _ body: (PostgresEventStore) async throws(StoreError) -> Value
    ) async throws(ReconcileStop) -> Value {
        do throws(StoreError) {
            return try await body(store)
        } catch {
            throw .store(error)
        }
    }
}
