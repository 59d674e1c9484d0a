package import EntitlementDomain

extension TransactionPayload {
    /// The names of the members without which there are no facts, as far as they are absent or unreadable.
    package var missingEssentials: [String] {
        var missing: [String] = []
        if transactionID == nil { missing.append("transactionId") }
        if productID == nil { missing.append("productId") }
        if purchasedAt == nil { missing.append("purchaseDate") }
        return missing
    }

    /// What this version of the transaction says, as far as access depends on it; nil when `missingEssentials` names
    /// something.
    ///
    /// Gaps and values that are not known are filled so that the customer's own purchase counts and a revocation
    /// takes back all: the original id is the transaction's own, a kind of ownership other than a family's is a
    /// purchase, a kind of revocation that is not known is a full one.
    ///
    /// - Parameter envelopeSignedAt: when the notification around the transaction was signed; it stands in for a
    ///   missing `signedDate`. The purchase date does where both are missing.
    package func facts(envelopeSignedAt: Instant? = nil) -> TransactionFacts? {
        guard let transactionID, let productID, let purchasedAt else { return nil }
        return TransactionFacts(
            transactionID: transactionID,
            originalTransactionID: originalTransactionID ?? transactionID,
            productID: productID,
            type: productType,
            ownership: ownershipType == .familyShared ? .familyShared : .purchased,
            signedAt: signedAt ?? envelopeSignedAt ?? purchasedAt,
            purchasedAt: purchasedAt,
            originalPurchasedAt: originalPurchasedAt,
            expiresAt: expiresAt,
            webOrderLineItemID: webOrderLineItemID,
            quantity: max(quantity ?? 1, 1),
            revokedAt: revokedAt,
            revocationKind: revocationType.flatMap { RevocationKind(rawValue: $0.rawValue) } ?? .full,
            revocationReason: revocationReason?.rawValue,
            revocationPercentage: revocationPercentage.map { min(max($0, 0), 100_000) },
            isUpgraded: isUpgraded ?? false,
            offer: Offer(kind: offerKind, id: offerID, discountType: offerDiscountType, period: offerPeriod),
            isRenewal: isRenewal,
            appAccountToken: appAccountToken,
            subscriptionGroupID: subscriptionGroupID
        )
    }

    private var isRenewal: Bool? {
        switch reason {
        case .renewal?: true
        case .purchase?: false
        default: nil
        }
    }
}
