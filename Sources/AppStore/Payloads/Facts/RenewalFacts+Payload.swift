package import EntitlementDomain

extension RenewalFacts {
    /// What a statement says about a line's renewal: its renewal info, and what a notification's envelope adds.
    ///
    /// Nil when neither says anything, or when no date tells when it was said.
    ///
    /// - Parameters:
    ///   - info: the decoded renewal info; without it the envelope's status alone is told, `autoRenews` nil.
    ///   - envelope: the notification around it; nil for uploads and pages of the App Store Server API.
    ///   - transactionSignedAt: when the transaction beside it was signed, for want of a date of its own.
    package init?(_ info: RenewalInfoPayload?, in envelope: NotificationPayload?, transactionSignedAt: Instant? = nil) {
        let status = envelope?.data?.status
        // The words of the envelope stand in only where no status is given, or one that has no known meaning.
        let isAnnouncedInWords =
            status?.isKnown != true && envelope?.type == .didFailToRenew && envelope?.subtype == .gracePeriod
        let isAnnounced = status == .gracePeriod || isAnnouncedInWords
        guard info != nil || status != nil || isAnnounced else { return nil }
        guard let signedAt = info?.signedAt ?? envelope?.signedAt ?? transactionSignedAt else { return nil }
        let isInBillingRetry = info?.isInBillingRetry ?? false
        self.init(
            signedAt: signedAt,
            autoRenews: info?.autoRenewStatus?.isOn,
            productID: info?.productID,
            autoRenewProductID: info?.autoRenewProductID,
            isInBillingRetry: isInBillingRetry,
            gracePeriodExpiresAt: info?.gracePeriodExpiresAt,
            expirationIntent: info?.expirationIntent?.rawValue,
            renewsAt: info?.renewsAt,
            priceIncreaseStatus: info?.priceIncreaseStatus?.rawValue,
            renewalPrice: info?.renewalPrice,
            currency: info?.currency,
            offer: info.flatMap {
                Offer(kind: $0.offerKind, id: $0.offerID, discountType: $0.offerDiscountType, period: $0.offerPeriod)
            },
            status: status?.rawValue,
            saysGracePeriod: isAnnounced || (isInBillingRetry && info?.gracePeriodExpiresAt != nil)
        )
    }
}
