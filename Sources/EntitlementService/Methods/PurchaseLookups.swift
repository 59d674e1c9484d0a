import EntitlementAPI
import EntitlementDomain
import EventStore
import JSONRPC

/// The methods that read what was bought: subscriptions and purchases.
struct PurchaseLookups: Sendable {
    let store: PostgresEventStore
    let clock: @Sendable () -> Instant

    func subscriptions(
        _ parameters: SubscriptionsStatus.Parameters
    ) async throws(JSONRPCError) -> SubscriptionsStatus.Response {
        let snapshot: Snapshot
        let instant: Instant
        do {
            try await wait(for: parameters.key)
            (snapshot, instant) = try await store.snapshot(of: parameters.key, at: parameters.at, clock)
        } catch {
            throw JSONRPCError(error)
        }
        let answer = snapshot.account.subscriptions(
            at: instant,
            catalog: snapshot.catalog,
            policy: store.policy
        )
        return SubscriptionsStatus.Response(
            key: parameters.key.subject,
            environment: parameters.key.environment,
            answer: answer,
            position: snapshot.position
        )
    }

    func purchases(_ parameters: PurchasesList.Parameters) async throws(JSONRPCError) -> PurchasesList.Response {
        let snapshot: Snapshot
        do {
            try await wait(for: parameters.key)
            snapshot = try await store.snapshot(of: parameters.key, reach: .whole)
        } catch {
            throw JSONRPCError(error)
        }
        return PurchasesList.Response(
            key: parameters.key.subject,
            environment: parameters.key.environment,
            history: snapshot.account.purchaseHistory(
                at: parameters.at,
                catalog: snapshot.catalog,
                limit: Int(parameters.limit)
            ),
            position: snapshot.position
        )
    }

    private func wait(for key: KeyParameters) async throws(StoreError) {
        guard let minPosition = key.minPosition else { return }
        try await store.wait(for: minPosition, upTo: .milliseconds(key.waitMilliseconds))
    }
}
