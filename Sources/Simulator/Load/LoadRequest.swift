package import EntitlementDomain

/// One signed request of a load, and what is true once the service has accepted it.
package struct LoadRequest: Sendable, Hashable {
    /// Its place in the plan, 0 for the first.
    package let index: Int
    package let kind: LoadKind
    /// The account it concerns.
    package let account: AccountID
    package let originalTransactionID: String
    package let transactionID: String
    /// The end of the period that it buys.
    package let expiresAt: Instant
    /// The HTTP body, to be posted to the kind's path.
    package let body: [UInt8]
}
