import JSON

/// Fills in what a scenario leaves out of a signed payload. A member that is null is dropped and gets no default.
struct StatementDefaults: Sendable {
    /// The app of all scenarios.
    static let bundleID = "com.example.app"
    /// Its Apple id.
    static let appAppleID: Int64 = 1_234_567_890

    /// The values of the envelope that the statements inside take over; nil: absent there too.
    var environment: JSONValue? = "Production"
    var bundleID: JSONValue? = .string(StatementDefaults.bundleID)
    var signedDate: JSONValue?

    /// A decoded transaction with its defaults (App Store Server API, JWSTransactionDecodedPayload).
    func transaction(_ given: JSONObject, products: CatalogProducts) -> JSONObject {
        var transaction = given
        let product = given["productId"]?.stringValue.flatMap { products[$0] }
        transaction.setDefault("originalTransactionId", given["transactionId"])
        transaction.setDefault("bundleId", bundleID)
        transaction.setDefault("subscriptionGroupIdentifier", product?.subscriptionGroup.map(JSONValue.string))
        transaction.setDefault("originalPurchaseDate", given["purchaseDate"])
        transaction.setDefault("quantity", 1)
        transaction.setDefault("type", product?.appStoreType.map(JSONValue.string))
        transaction.setDefault("inAppOwnershipType", "PURCHASED")
        transaction.setDefault("transactionReason", "PURCHASE")
        transaction.setDefault("environment", environment)
        transaction.setDefault("signedDate", signedDate)
        return transaction.withoutNulls
    }

    /// A decoded renewal info with its defaults (App Store Server API, JWSRenewalInfoDecodedPayload). It carries no
    /// bundle id.
    func renewalInfo(_ given: JSONObject, transaction: JSONObject?) -> JSONObject {
        var renewalInfo = given
        renewalInfo.setDefault("originalTransactionId", transaction?["originalTransactionId"])
        renewalInfo.setDefault("productId", transaction?["productId"])
        renewalInfo.setDefault("autoRenewProductId", transaction?["productId"])
        renewalInfo.setDefault("autoRenewStatus", 1)
        renewalInfo.setDefault("environment", environment)
        renewalInfo.setDefault("signedDate", signedDate)
        return renewalInfo.withoutNulls
    }
}
