/// What caused a transaction (App Store Server API, transactionReason). An open set.
package struct TransactionReason: RawRepresentable, Sendable, Hashable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The customer.
    package static let purchase = TransactionReason(rawValue: "PURCHASE")
    /// The system, at a renewal.
    package static let renewal = TransactionReason(rawValue: "RENEWAL")
}
