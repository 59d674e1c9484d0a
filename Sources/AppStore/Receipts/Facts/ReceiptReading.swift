package import EntitlementDomain

/// A receipt that is ours, as statements that can be appended.
package struct ReceiptReading: Sendable {
    /// What the receipt says.
    package var receipt: AppReceipt
    package var bundleID: String
    package var environment: StoreEnvironment
    /// One for each purchase, the earliest first; for a receipt without purchases one without facts.
    package var statements: [Statement]
}
