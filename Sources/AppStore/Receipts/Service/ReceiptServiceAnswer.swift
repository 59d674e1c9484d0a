import EntitlementDomain
import JSON

/// What verifyReceipt says of a genuine receipt (App Store Receipts, responseBody).
package struct ReceiptServiceAnswer: Sendable {
    /// The app's part, and all purchases: of one that is in several lists the newest word.
    var receipt: AppReceipt
    /// When the App Store was asked; nil: it does not say.
    var requestedAt: Instant?
    /// The transactions that are told of as they are now, and not as they were when the receipt was created.
    var currentTransactions: Set<String> = []
    /// What is told of renewals, by original transaction id.
    var renewals: [String: RenewalFacts] = [:]
    /// The answer without the receipt in it, as canonical JSON.
    var content: [UInt8]

    /// - Parameters:
    ///   - answer: an answer that holds a receipt.
    ///   - isSandbox: which service gave it.
    ///   - now: the clock, for an answer that does not say when it was given.
    init(_ answer: JSONObject, isSandbox: Bool, now: Instant) throws(ReceiptServiceError) {
        guard let body = answer["receipt"]?.objectValue else {
            throw .malformedAnswer("it holds no receipt")
        }
        var fields = ReceiptFields(body)
        requestedAt = fields.date("request_date")
        receipt = AppReceipt()
        receipt.receiptType = answer["environment"]?.stringValue ?? (isSandbox ? "Sandbox" : "Production")
        receipt.appAppleID = fields.integer("adam_id") ?? fields.integer("app_item_id")
        receipt.bundleID = fields.identifier("bundle_id") ?? fields.identifier("bid")
        receipt.applicationVersion = fields.text("application_version") ?? fields.text("bvrs")
        receipt.createdAt = fields.date("receipt_creation_date")
        receipt.originalPurchasedAt = fields.date("original_purchase_date")
        receipt.originalApplicationVersion = fields.text("original_application_version")
        receipt.expiresAt = fields.date("expiration_date")

        var purchases: [ReceiptPurchase] = []
        var places: [String: Int] = [:]
        func add(_ purchase: ReceiptPurchase) {
            if let place = places[purchase.transactionID] {
                purchases[place] = purchase
            } else {
                places[purchase.transactionID] = purchases.count
                purchases.append(purchase)
            }
        }
        if let list = body["in_app"]?.arrayValue {
            for item in list { if let purchase = ReceiptPurchase(item) { add(purchase) } }
        } else if let purchase = ReceiptPurchase(.object(body)) {
            // A receipt of a single transaction, as iOS 6 made them; it was created with the purchase.
            receipt.createdAt = receipt.createdAt ?? purchase.purchasedAt
            receipt.originalPurchasedAt = nil
            receipt.expiresAt = nil
            add(purchase)
        }
        for name in ["latest_receipt_info", "latest_expired_receipt_info"] {
            for item in answer[name]?.arrayValue ?? answer[name].map({ [$0] }) ?? [] {
                guard let purchase = ReceiptPurchase(item) else { continue }
                add(purchase)
                currentTransactions.insert(purchase.transactionID)
            }
        }
        guard purchases.count <= AppReceipt.maximumPurchases else {
            throw .malformedAnswer("it holds more than \(AppReceipt.maximumPurchases) purchases")
        }
        receipt.purchases = purchases
        for item in answer["pending_renewal_info"]?.arrayValue ?? [] {
            var fields = ReceiptFields(item.objectValue ?? JSONObject())
            guard let line = fields.identifier("original_transaction_id") else { continue }
            renewals[line] = RenewalFacts(&fields, statedAt: requestedAt ?? now)
        }
        var content = answer
        content.remove("latest_receipt")
        self.content = JSONValue.object(content).canonicalBytes()
    }
}
