import EntitlementDomain
import JSON

/// A transaction as a fake App Store keeps it.
struct FakeTransaction: Sendable {
    /// The decoded payload without `signedDate`: each signature brings its own.
    var payload: JSONObject
    /// The index of the customer.
    let customer: Int
    /// The place in the order of changes: history is sorted by it.
    var changed: Int64
    var isFinished = false

    var id: String { payload["transactionId"]?.stringValue ?? "" }
    var originalID: String { payload["originalTransactionId"]?.stringValue ?? "" }
    var isRevoked: Bool { payload["revocationDate"] != nil }
    var isFamilyShared: Bool { payload["inAppOwnershipType"] == "FAMILY_SHARED" }
    var purchasedAt: Int64 { payload["purchaseDate"]?.int64Value ?? 0 }
}
