import EntitlementDomain
import JSON

extension ReceiptPurchase {
    /// An element of `in_app` or `latest_receipt_info` (App Store Receipts, responseBody); nil when it lacks a transaction
    /// id, a product id or a purchase date.
    init?(_ item: JSONValue) {
        guard let object = item.objectValue else { return nil }
        var fields = ReceiptFields(object)
        guard let transactionID = fields.identifier("transaction_id"),
            let productID = fields.identifier("product_id"), let purchasedAt = fields.date("purchase_date")
        else { return nil }
        self.init(
            transactionID: transactionID,
            originalTransactionID: fields.identifier("original_transaction_id") ?? transactionID,
            productID: productID,
            purchasedAt: purchasedAt
        )
        originalPurchasedAt = fields.date("original_purchase_date")
        expiresAt = fields.date("expires_date")
        quantity = fields.integer("quantity").flatMap { Int(exactly: $0) }
        webOrderLineItemID = fields.identifier("web_order_line_item_id").flatMap { $0 == "0" ? nil : $0 }
        canceledAt = fields.date("cancellation_date")
        cancellationReason = fields.integer("cancellation_reason").flatMap { Int(exactly: $0) }
        // It is told only of a purchase that was upgraded away, and only where that is known.
        isUpgraded = fields.truth("is_upgraded")
        isTrial = fields.truth("is_trial_period")
        isInIntroductoryOffer = fields.truth("is_in_intro_offer_period")
        promotionalOfferID = fields.identifier("promotional_offer_id")
        offerCodeName = fields.identifier("offer_code_ref_name")
        ownership = fields.text("in_app_ownership_type").flatMap { Ownership(rawValue: $0) }
        appAccountToken = fields.text("app_account_token").flatMap { AccountID($0) }
        subscriptionGroupID = fields.identifier("subscription_group_identifier")
    }
}

extension RenewalFacts {
    /// An element of `pending_renewal_info` (App Store Receipts, responseBody).
    init(_ fields: inout ReceiptFields, statedAt: Instant) {
        let isInBillingRetry = fields.truth("is_in_billing_retry_period") ?? false
        let gracePeriodExpiresAt = fields.date("grace_period_expires_date")
        let offer =
            if let name = fields.identifier("promotional_offer_id") {
                Offer(type: 2, identifier: name)
            } else {
                fields.identifier("offer_code_ref_name").map { Offer(type: 3, identifier: $0) }
            }
        self.init(
            signedAt: statedAt,
            autoRenews: fields.truth("auto_renew_status"),
            productID: fields.identifier("product_id"),
            autoRenewProductID: fields.identifier("auto_renew_product_id"),
            isInBillingRetry: isInBillingRetry,
            gracePeriodExpiresAt: gracePeriodExpiresAt,
            expirationIntent: fields.integer("expiration_intent").flatMap { Int(exactly: $0) },
            priceIncreaseStatus: (fields.integer("price_increase_status") ?? fields.integer("price_consent_status"))
                .flatMap { Int(exactly: $0) },
            offer: offer,
            saysGracePeriod: isInBillingRetry && gracePeriodExpiresAt != nil
        )
    }
}
