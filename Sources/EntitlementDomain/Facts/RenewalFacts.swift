/// What one statement says about the renewal of a line at the moment it was signed
/// (App Store Server API, JWSRenewalInfoDecodedPayload; App Store Server Notifications, data.status).
///
/// It describes the line's current period at `signedAt`; it is no history.
package struct RenewalFacts: Sendable, Hashable {
    package var signedAt: Instant
    /// Whether the subscription will renew; nil when the statement carries no renewal info.
    package var autoRenews: Bool?
    package var productID: String?
    /// The product of the next period.
    package var autoRenewProductID: String?
    package var isInBillingRetry: Bool
    package var gracePeriodExpiresAt: Instant?
    /// 1 customer cancelled, 2 billing error, 3 no consent to a price increase, 4 product not available, 5 other.
    package var expirationIntent: Int?
    package var renewsAt: Instant?
    /// 0 no answer yet, 1 consented or informed.
    package var priceIncreaseStatus: Int?
    /// The price of the next period, in thousandths of the currency's unit.
    package var renewalPrice: Int64?
    package var currency: String?
    /// The offer of the next period.
    package var offer: Offer?
    /// The App Store's own summary: 1 active, 2 expired, 3 billing retry, 4 grace period, 5 revoked.
    package var status: Int?
    /// Whether the statement says that a grace period runs, with or without a date.
    package var saysGracePeriod: Bool

    package init(
        signedAt: Instant,
        autoRenews: Bool? = nil,
        productID: String? = nil,
        autoRenewProductID: String? = nil,
        isInBillingRetry: Bool = false,
        gracePeriodExpiresAt: Instant? = nil,
        expirationIntent: Int? = nil,
        renewsAt: Instant? = nil,
        priceIncreaseStatus: Int? = nil,
        renewalPrice: Int64? = nil,
        currency: String? = nil,
        offer: Offer? = nil,
        status: Int? = nil,
        saysGracePeriod: Bool = false
    ) {
        self.signedAt = signedAt
        self.autoRenews = autoRenews
        self.productID = productID
        self.autoRenewProductID = autoRenewProductID
        self.isInBillingRetry = isInBillingRetry
        self.gracePeriodExpiresAt = gracePeriodExpiresAt
        self.expirationIntent = expirationIntent
        self.renewsAt = renewsAt
        self.priceIncreaseStatus = priceIncreaseStatus
        self.renewalPrice = renewalPrice
        self.currency = currency
        self.offer = offer
        self.status = status
        self.saysGracePeriod = saysGracePeriod
    }

    /// Whether this statement, which names no grace period, denies that one runs: it carries renewal info without a
    /// date, or a status other than active and grace period.
    package var deniesGracePeriod: Bool {
        autoRenews != nil || (status.map { $0 != 1 && $0 != 4 } ?? false)
    }

    /// Whether this statement says that the App Store tries to charge again.
    package var saysBillingRetry: Bool {
        isInBillingRetry || status == 3
    }
}
