package import EntitlementDomain
package import JSON

/// What is true in a fake App Store, to compare a service with.
extension FakeAppStore {
    /// One line as it stands.
    package struct LineTruth: Sendable, Hashable {
        package var id: String
        package var account: AccountID?
        package var productID: String
        /// As the API numbers it (App Store Server API, status).
        package var status: Int64
        /// The end of the paid period.
        package var expiresAt: Instant
        package var autoRenews: Bool
        package var transactionIDs: [String]
        package var currentTransactionID: String
    }

    /// One notification and its deliveries.
    package struct NotificationTruth: Sendable, Hashable {
        package var uuid: String
        package var type: String
        package var subtype: String?
        package var signedAt: Instant
        /// The results of all attempts, in order.
        package var results: [String]
        package var attemptedAt: [Instant]
    }

    /// All subscriptions of an environment.
    package func lines(in environment: StoreEnvironment = .production) -> [LineTruth] {
        read { state in
            state[environment].lines.values.sorted { $0.id < $1.id }.map { line in
                let realm = state[environment]
                let transactions = realm.customers[line.customer].transactionIDs.filter {
                    realm.transactions[$0]?.originalID == line.id
                }
                return LineTruth(
                    id: line.id,
                    account: realm.transactions[line.id]?.payload["appAccountToken"]?.stringValue.flatMap {
                        AccountID($0)
                    },
                    productID: line.product.id,
                    status: line.status,
                    expiresAt: line.expiresAt,
                    autoRenews: line.autoRenews,
                    transactionIDs: transactions,
                    currentTransactionID: line.currentID
                )
            }
        }
    }

    /// All notifications of an environment, in the order of their signature.
    package func notifications(in environment: StoreEnvironment = .production) -> [NotificationTruth] {
        read { state in
            state[environment].notifications.map {
                NotificationTruth(
                    uuid: $0.uuid,
                    type: $0.type,
                    subtype: $0.subtype,
                    signedAt: $0.signedAt,
                    results: $0.attempts.map(\.result),
                    attemptedAt: $0.attempts.map(\.at)
                )
            }
        }
    }

    /// The signed payload of a notification, as it was sent or would have been.
    package func signedPayload(ofNotification uuid: String, in environment: StoreEnvironment = .production) -> String? {
        read { state in state[environment].notifications.first { $0.uuid == uuid }?.text }
    }

    /// The last consumption information about a transaction.
    package func consumption(of transaction: String, in environment: StoreEnvironment = .production) -> JSONObject? {
        read { state in state[environment].consumption[transaction] }
    }

    /// Whether a transaction was finished through the API.
    package func isFinished(_ transaction: String, in environment: StoreEnvironment = .production) -> Bool {
        read { state in state[environment].transactions[transaction]?.isFinished ?? false }
    }

    /// A transaction newly signed, as an app on a device would hand it in.
    package func signedTransaction(_ transaction: String, in environment: StoreEnvironment = .production)
        throws(FakeStoreError) -> String
    {
        try with { state throws(FakeStoreError) in try state.signed(transaction: transaction, in: environment) }
    }
}
