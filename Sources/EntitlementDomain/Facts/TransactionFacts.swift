/// What one signed version of one transaction says, as far as access depends on it
/// (App Store Server API, JWSTransactionDecodedPayload).
package struct TransactionFacts: Sendable, Hashable {
    package var transactionID: String
    package var originalTransactionID: String
    package var productID: String
    /// Nil when the statement names no kind, or one that is not known: the catalog's kind counts then.
    package var type: ProductType?
    package var ownership: Ownership
    /// When the App Store signed this version; of a receipt, when the receipt was created. It ranks the versions of this transaction, nothing else.
    package var signedAt: Instant
    package var purchasedAt: Instant
    package var originalPurchasedAt: Instant?
    /// End of a subscription period; absent for other kinds.
    package var expiresAt: Instant?
    /// Identifies a subscription period over all transaction ids that stand for it.
    package var webOrderLineItemID: String?
    /// How many were bought; at least 1.
    package var quantity: Int
    package var revokedAt: Instant?
    package var revocationKind: RevocationKind
    package var revocationReason: Int?
    /// Share taken back by a prorated refund, in thousandths of a per cent (0 ... 100000).
    package var revocationPercentage: Int?
    package var isUpgraded: Bool
    package var offer: Offer?
    /// True for a renewal by the system, false for a purchase by the customer, nil when not said.
    package var isRenewal: Bool?
    package var appAccountToken: AccountID?
    package var subscriptionGroupID: String?
    /// Whether this version is what an app receipt tells of the transaction. A receipt knows less than a signed
    /// transaction, so such a version never stands in for one (`TransactionState`).
    package var isFromReceipt: Bool

    package init(
        transactionID: String,
        originalTransactionID: String,
        productID: String,
        type: ProductType? = nil,
        ownership: Ownership = .purchased,
        signedAt: Instant,
        purchasedAt: Instant,
        originalPurchasedAt: Instant? = nil,
        expiresAt: Instant? = nil,
        webOrderLineItemID: String? = nil,
        quantity: Int = 1,
        revokedAt: Instant? = nil,
        revocationKind: RevocationKind = .full,
        revocationReason: Int? = nil,
        revocationPercentage: Int? = nil,
        isUpgraded: Bool = false,
        offer: Offer? = nil,
        isRenewal: Bool? = nil,
        appAccountToken: AccountID? = nil,
        subscriptionGroupID: String? = nil,
        isFromReceipt: Bool = false
    ) {
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        self.productID = productID
        self.type = type
        self.ownership = ownership
        self.signedAt = signedAt
        self.purchasedAt = purchasedAt
        self.originalPurchasedAt = originalPurchasedAt
        self.expiresAt = expiresAt
        self.webOrderLineItemID = webOrderLineItemID
        self.quantity = quantity
        self.revokedAt = revokedAt
        self.revocationKind = revocationKind
        self.revocationReason = revocationReason
        self.revocationPercentage = revocationPercentage
        self.isUpgraded = isUpgraded
        self.offer = offer
        self.isRenewal = isRenewal
        self.appAccountToken = appAccountToken
        self.subscriptionGroupID = subscriptionGroupID
        self.isFromReceipt = isFromReceipt
    }
}
