import EntitlementDomain

extension ReceiptPurchase {
    /// The attributes of a purchase that are looked at (Validating receipts on the device, in-app purchase receipt
    /// fields).
    private enum Kind {
        static let quantity: Int64 = 1_701
        static let productID: Int64 = 1_702
        static let transactionID: Int64 = 1_703
        static let purchasedAt: Int64 = 1_704
        static let originalTransactionID: Int64 = 1_705
        static let originalPurchasedAt: Int64 = 1_706
        static let expiresAt: Int64 = 1_708
        static let webOrderLineItemID: Int64 = 1_711
        static let canceledAt: Int64 = 1_712
        static let isTrial: Int64 = 1_713
        static let isInIntroductoryOffer: Int64 = 1_719
        static let cancellationReason: Int64 = 1_720
        static let promotionalOfferID: Int64 = 1_721
    }

    /// Nil when the attributes lack a transaction id, a product id or a purchase date.
    init?(_ attributes: [ReceiptAttribute]) {
        // Of two attributes of one type the later counts.
        let known = Dictionary(attributes.map { ($0.type, $0) }, uniquingKeysWith: { $1 })
        guard let transactionID = known[Kind.transactionID]?.identifier,
            let productID = known[Kind.productID]?.identifier,
            let purchasedAt = known[Kind.purchasedAt]?.date
        else { return nil }
        self.init(
            transactionID: transactionID,
            originalTransactionID: known[Kind.originalTransactionID]?.identifier ?? transactionID,
            productID: productID,
            purchasedAt: purchasedAt
        )
        originalPurchasedAt = known[Kind.originalPurchasedAt]?.date
        expiresAt = known[Kind.expiresAt]?.date
        quantity = known[Kind.quantity]?.integer.flatMap { Int(exactly: $0) }
        // Purchases that are no subscription have the number 0.
        webOrderLineItemID = known[Kind.webOrderLineItemID]?.integer.flatMap { $0 > 0 ? String($0) : nil }
        canceledAt = known[Kind.canceledAt]?.date
        cancellationReason = known[Kind.cancellationReason]?.integer.flatMap { Int(exactly: $0) }
        isTrial = known[Kind.isTrial]?.integer.map { $0 != 0 }
        isInIntroductoryOffer = known[Kind.isInIntroductoryOffer]?.integer.map { $0 != 0 }
        promotionalOfferID = known[Kind.promotionalOfferID]?.identifier
    }
}
