import AppStore
import EntitlementDomain
import JSON

extension ScenarioReader {
    private static let receiptKeys = [
        "receiptType", "bundleId", "appAppleId", "receiptCreationDate", "originalApplicationVersion", "purchases",
        "account",
    ]
    private static let purchaseKeys = [
        "transactionId", "originalTransactionId", "productId", "purchaseDate", "originalPurchaseDate", "expiresDate",
        "quantity", "webOrderLineItemId", "cancellationDate", "cancellationReason", "isTrialPeriod",
        "isInIntroOfferPeriod", "promotionalOfferId",
    ]

    /// A receipt with all its defaults.
    mutating func receipt(_ value: JSONValue?, _ path: Path, _ source: StatementSource) -> DecodedReceipt? {
        guard let object = object(value, path, "a receipt (an object)") else { return nil }
        allowOnly(Self.receiptKeys, in: object, path)
        var receipt = AppReceipt()
        receipt.receiptType = field("receiptType", in: object, path, .text, default: "Production")?.stringValue
        receipt.bundleID =
            field("bundleId", in: object, path, .text, default: .string(StatementDefaults.bundleID))?.stringValue
        let appAppleID = JSONValue(StatementDefaults.appAppleID)
        receipt.appAppleID = field("appAppleId", in: object, path, .number, default: appAppleID)?.int64Value
        receipt.createdAt = instant("receiptCreationDate", in: object, path, default: source.at)
        receipt.originalApplicationVersion = text("originalApplicationVersion", in: object, path)
        guard let purchases = object["purchases"]?.arrayValue else {
            report(path + ["purchases"], expected: "an array of purchases", found: object["purchases"])
            return nil
        }
        receipt.purchases = purchases.enumerated().compactMap { purchase($1, path + ["purchases", .index($0)]) }
        return DecodedReceipt(receipt: receipt, account: account("account", in: object, path))
    }

    private mutating func purchase(_ value: JSONValue, _ path: Path) -> ReceiptPurchase? {
        guard let object = object(value, path, "a purchase (an object)") else { return nil }
        allowOnly(Self.purchaseKeys, in: object, path)
        let transactionID = requiredText("transactionId", in: object, path)
        let productID = requiredText("productId", in: object, path)
        let purchasedAt = requiredInstant("purchaseDate", in: object, path)
        guard let transactionID, let productID, let purchasedAt else { return nil }
        var purchase = ReceiptPurchase(
            transactionID: transactionID,
            originalTransactionID: text("originalTransactionId", in: object, path) ?? transactionID,
            productID: productID,
            purchasedAt: purchasedAt
        )
        purchase.originalPurchasedAt = instant("originalPurchaseDate", in: object, path, default: nil)
        purchase.expiresAt = instant("expiresDate", in: object, path, default: nil)
        purchase.quantity = number("quantity", in: object, path)
        purchase.webOrderLineItemID = text("webOrderLineItemId", in: object, path)
        purchase.canceledAt = instant("cancellationDate", in: object, path, default: nil)
        purchase.cancellationReason = number("cancellationReason", in: object, path)
        purchase.isTrial = flag("isTrialPeriod", in: object, path)
        purchase.isInIntroductoryOffer = flag("isInIntroOfferPeriod", in: object, path)
        purchase.promotionalOfferID = text("promotionalOfferId", in: object, path)
        return purchase
    }

    /// A date that null leaves out.
    private mutating func instant(_ key: String, in object: JSONObject, _ path: Path, default instant: Instant?)
        -> Instant?
    {
        guard let value = object[key] else { return instant }
        return value.isNull ? nil : requiredInstant(key, in: object, path)
    }

    private mutating func number(_ key: String, in object: JSONObject, _ path: Path) -> Int? {
        field(key, in: object, path, .number, default: nil)?.int64Value.flatMap { Int(exactly: $0) }
    }
}
