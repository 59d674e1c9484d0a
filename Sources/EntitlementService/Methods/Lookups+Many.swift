import EntitlementAPI
import EntitlementDomain
import EventStore
import JSONRPC

extension Lookups {
    /// The answers for many accounts, all from one place in the log and for one instant.
    func many(_ parameters: EntitlementsGetMany.Parameters) async throws(JSONRPCError) -> EntitlementsGetMany.Response {
        let snapshots: Snapshots
        do {
            if let minPosition = parameters.minPosition {
                try await store.wait(for: minPosition, upTo: .milliseconds(parameters.waitMilliseconds))
            }
            let accounts = Set(parameters.accounts)
            if let knownAt = parameters.knownAt {
                snapshots = try await store.snapshots(
                    ofAccounts: accounts,
                    in: parameters.environment,
                    knownAt: knownAt
                )
            } else {
                snapshots = try await store.snapshots(ofAccounts: accounts, in: parameters.environment)
            }
        } catch {
            throw JSONRPCError(error)
        }
        let instant = parameters.at ?? clock()
        let answers = snapshots.accounts.mapValues {
            $0.answer(at: instant, catalog: snapshots.catalog, policy: store.policy)
        }
        return EntitlementsGetMany.Response(
            results: parameters.accounts.compactMap { account in answers[account].map { (account, $0) } },
            environment: parameters.environment,
            instant: instant,
            position: snapshots.position
        )
    }
}
