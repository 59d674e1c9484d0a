import EntitlementDomain

extension ReceiptPurchase {
    /// What the receipt says of the transaction, as a version of it signed when the receipt was created.
    ///
    /// A receipt names no kind of product, no storefront and no price; who initiated a period is not told either.
    ///
    /// - Parameters:
    ///   - createdAt: when the receipt was created, or asked for.
    ///   - line: all purchases of the receipt under the same original transaction id.
    func facts(createdAt: Instant, among line: [ReceiptPurchase]) -> TransactionFacts {
        let isUpgraded = isUpgraded ?? isReplaced(among: line)
        return TransactionFacts(
            transactionID: transactionID,
            originalTransactionID: originalTransactionID,
            productID: productID,
            ownership: ownership ?? .purchased,
            signedAt: createdAt,
            purchasedAt: purchasedAt,
            originalPurchasedAt: originalPurchasedAt,
            expiresAt: expiresAt,
            webOrderLineItemID: webOrderLineItemID,
            quantity: max(quantity ?? 1, 1),
            // The date of an upgrade stands in the same place and is no refund.
            revokedAt: isUpgraded ? nil : canceledAt,
            revocationReason: isUpgraded ? nil : cancellationReason,
            isUpgraded: isUpgraded,
            offer: offer,
            appAccountToken: appAccountToken,
            subscriptionGroupID: subscriptionGroupID,
            isFromReceipt: true
        )
    }

    /// How far apart the date of an upgrade and of the purchase that it was may be, in milliseconds.
    private static let upgradeTolerance: Int64 = 60_000

    /// Whether the cancellation is an upgrade, where the receipt does not say: another product of the line was bought
    /// within the period, not after the cancellation. If the period was refunded as well later on, that takes nothing
    /// more away: the other purchase had taken over.
    private func isReplaced(among line: [ReceiptPurchase]) -> Bool {
        guard let canceledAt, let expiresAt else { return false }
        return line.contains { other in
            other.productID != productID && other.purchasedAt > purchasedAt && other.purchasedAt < expiresAt
                && other.purchasedAt <= canceledAt.advanced(byMilliseconds: Self.upgradeTolerance)
        }
    }

    /// The offer of the period. A receipt does not say how an introductory offer that is no trial is paid.
    private var offer: Offer? {
        let discount = isTrial == true ? "FREE_TRIAL" : nil
        if let promotionalOfferID { return Offer(type: 2, identifier: promotionalOfferID, discountType: discount) }
        if let offerCodeName { return Offer(type: 3, identifier: offerCodeName, discountType: discount) }
        guard isTrial == true || isInIntroductoryOffer == true else { return nil }
        return Offer(type: 1, discountType: discount)
    }
}
