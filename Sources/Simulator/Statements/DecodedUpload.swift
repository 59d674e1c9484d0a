package import EntitlementDomain
package import JSON

/// What an app's backend forwards, before it is signed: a StoreKit transaction, perhaps its renewal info, and the
/// account that claims it.
package struct DecodedUpload: Sendable {
    /// The decoded transaction, complete.
    package var transaction: JSONObject
    /// The decoded renewal info, complete.
    package var renewalInfo: JSONObject?
    package var account: AccountID?
}
