package import EntitlementDomain

/// One purchase in a receipt. What the receipt does not tell is nil, which is not the same as "no".
package struct ReceiptPurchase: Sendable, Hashable {
    package var transactionID: String
    package var originalTransactionID: String
    package var productID: String
    package var purchasedAt: Instant
    package var originalPurchasedAt: Instant?
    /// The end of a subscription period.
    package var expiresAt: Instant?
    package var quantity: Int?
    package var webOrderLineItemID: String?
    /// When the purchase was refunded, or when the customer upgraded from it.
    package var canceledAt: Instant?
    /// 1: because of an issue in the app; 0: another reason.
    package var cancellationReason: Int?
    /// Told by verifyReceipt only.
    package var isUpgraded: Bool?
    package var isTrial: Bool?
    package var isInIntroductoryOffer: Bool?
    package var promotionalOfferID: String?
    /// Told by verifyReceipt only.
    package var offerCodeName: String?
    /// Told by verifyReceipt only.
    package var ownership: Ownership?
    /// Told by verifyReceipt only.
    package var appAccountToken: AccountID?
    /// Told by verifyReceipt only.
    package var subscriptionGroupID: String?

    package init(transactionID: String, originalTransactionID: String, productID: String, purchasedAt: Instant) {
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        self.productID = productID
        self.purchasedAt = purchasedAt
    }
}
