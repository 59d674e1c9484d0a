import AppStore
import EntitlementService
import JSON
import X509

/// The App Store of the OpenRPC document's examples: it knows one purchase, and lets its token be set.
struct ExampleAppStore: ServerAPITransport {
    static let transactionID = "2000000000000004"

    /// A service's access to it.
    static func access() throws -> AppStoreAccess {
        let credentials = ServerAPICredentials(issuerID: "issuer", keyID: "KEY", key: try P256PrivateKey.generate())
        return AppStoreAccess(credentials: credentials, transport: ExampleAppStore())
    }

    func send(_ call: ServerAPICall) async throws(ServerAPITransportFailure) -> ServerAPIReply {
        if call.url.hasSuffix("/inApps/v2/history/\(Self.transactionID)") {
            let purchase = Samples.coins(
                Self.transactionID,
                ["purchaseDate": Samples.milliseconds("2026-03-09T00:00:00Z")]
            )
            guard let signed = try? Samples.sign(purchase) else { return ServerAPIReply(status: 500) }
            let page: JSONValue = ["revision": "1", "hasMore": false, "signedTransactions": [.string(signed)]]
            return ServerAPIReply(status: 200, body: page.serialized())
        }
        if call.url.hasSuffix("/inApps/v1/subscriptions/\(Self.transactionID)") {
            let statuses: JSONValue = ["data": []]
            return ServerAPIReply(status: 200, body: statuses.serialized())
        }
        let isToken = call.method == "PUT" && call.url.hasSuffix("/transactions/\(Self.transactionID)/appAccountToken")
        return ServerAPIReply(status: isToken ? 200 : 404)
    }
}
