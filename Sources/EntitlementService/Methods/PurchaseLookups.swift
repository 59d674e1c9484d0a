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
        let snapshot = try await snapshot(of: parameters.key)
        let answer = snapshot.account.subscriptions(
            at: parameters.at ?? clock(),
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
        let snapshot = try await snapshot(of: parameters.key)
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

    private func snapshot(of key: KeyParameters) async throws(JSONRPCError) -> Snapshot {
        do {
            if let minPosition = key.minPosition {
                try await store.wait(for: minPosition, upTo: .milliseconds(key.waitMilliseconds))
            }
            return try await store.snapshot(of: key)
        } catch {
            throw JSONRPCError(error)
        }
    }
}
