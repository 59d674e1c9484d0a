import EntitlementDomain

/// A customer of a fake App Store: one Apple Account that has the app.
struct FakeCustomer: Sendable {
    let appTransactionID: String
    let since: Instant
    var transactionIDs: [String] = []
    var lineIDs: [String] = []
}
