import EntitlementAPI
import EntitlementDomain
import EventStore
import JSONRPC

/// The method that lists changes.
struct Changes: Sendable {
    let store: PostgresEventStore

    func list(_ parameters: ChangesList.Parameters) async throws(JSONRPCError) -> ChangesList.Response {
        let query = FeedQuery(
            after: parameters.after,
            environment: parameters.environment,
            limit: Int(parameters.limit)
        )
        do {
            let page = try await store.changes(query, upTo: .milliseconds(parameters.waitMilliseconds))
            return ChangesList.Response(
                changes: page.changes.map { ChangesList.Change($0) },
                position: page.position,
                hasMore: page.hasMore
            )
        } catch {
            throw JSONRPCError(error)
        }
    }
}

extension ChangesList.Change {
    /// A change of the feed as it goes over the wire.
    init(_ change: FeedChange) {
        let at: Instant? =
            switch change.cause {
            case .event: nil
            case .clock(let instant): instant
            }
        self.init(account: change.account, environment: change.environment, position: change.position, at: at)
    }
}
