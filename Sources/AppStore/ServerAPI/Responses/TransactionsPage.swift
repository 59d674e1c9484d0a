package import EntitlementDomain
import JSON

/// A page of transactions (App Store Server API, HistoryResponse and RefundHistoryResponse).
package struct TransactionsPage: ServerAPIPage {
    package var environment: StoreEnvironment
    /// Newest version of each, in the order of the last change.
    package var transactions: [SignedResponsePart]
    /// Continues from here: now while there are more, later for what has changed by then.
    package var revision: String?
    package var hasMore: Bool

    package var continuation: String? { revision }

    init(_ reader: ResponseReader) throws(ServerAPIError) {
        environment = reader.environment
        transactions = try reader.transactions()
        revision = reader.object["revision"]?.stringValue
        hasMore = reader.object["hasMore"]?.boolValue ?? false
    }
}
