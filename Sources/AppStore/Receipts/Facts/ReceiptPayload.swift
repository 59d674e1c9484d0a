import EntitlementDomain
import JSON

/// What is stored of a receipt beside its facts: the app's part, and one purchase under the names of a signed transaction.
struct ReceiptPayload {
    let receipt: AppReceipt
    /// `verifyReceipt` where that vouches for the receipt.
    let via: String?
    let purchase: ReceiptPurchase?

    /// Canonical JSON: an object with `receipt` and, for a purchase, `transaction`.
    func canonicalBytes() -> [UInt8] {
        var object: JSONObject = ["receipt": .object(receiptObject)]
        if let purchase { object["transaction"] = .object(Self.object(purchase)) }
        return JSONValue.object(object).canonicalBytes()
    }

    private var receiptObject: JSONObject {
        var object = JSONObject()
        object.add("receiptType", receipt.receiptType)
        object.add("appAppleId", receipt.appAppleID)
        object.add("bundleId", receipt.bundleID)
        object.add("applicationVersion", receipt.applicationVersion)
        object.add("receiptCreationDate", receipt.createdAt)
        object.add("originalPurchaseDate", receipt.originalPurchasedAt)
        object.add("originalApplicationVersion", receipt.originalApplicationVersion)
        object.add("receiptExpirationDate", receipt.expiresAt)
        object.add("via", via)
        return object
    }

    private static func object(_ purchase: ReceiptPurchase) -> JSONObject {
        var object = JSONObject()
        object.add("transactionId", purchase.transactionID)
        object.add("originalTransactionId", purchase.originalTransactionID)
        object.add("productId", purchase.productID)
        object.add("purchaseDate", purchase.purchasedAt)
        object.add("originalPurchaseDate", purchase.originalPurchasedAt)
        object.add("expiresDate", purchase.expiresAt)
        object.add("quantity", purchase.quantity.map(Int64.init))
        object.add("webOrderLineItemId", purchase.webOrderLineItemID)
        object.add("cancellationDate", purchase.canceledAt)
        object.add("cancellationReason", purchase.cancellationReason.map(Int64.init))
        object.add("isUpgraded", purchase.isUpgraded)
        object.add("isTrialPeriod", purchase.isTrial)
        object.add("isInIntroOfferPeriod", purchase.isInIntroductoryOffer)
        object.add("promotionalOfferId", purchase.promotionalOfferID)
        object.add("offerCodeRefName", purchase.offerCodeName)
        object.add("inAppOwnershipType", purchase.ownership?.rawValue)
        object.add("appAccountToken", purchase.appAccountToken?.description)
        object.add("subscriptionGroupIdentifier", purchase.subscriptionGroupID)
        return object
    }
}

extension JSONObject {
    fileprivate mutating func add(_ key: String, _ value: String?) {
        if let value { append(key, .string(value)) }
    }

    fileprivate mutating func add(_ key: String, _ value: Int64?) {
        if let value { append(key, .number(JSONNumber(value))) }
    }

    fileprivate mutating func add(_ key: String, _ value: Bool?) {
        if let value { append(key, .bool(value)) }
    }

    fileprivate mutating func add(_ key: String, _ value: Instant?) {
        add(key, value?.milliseconds)
    }
}
