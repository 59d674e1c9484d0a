package import EntitlementDomain
package import JSON

/// A decoded renewal info as the App Store signs it (App Store Server API, JWSRenewalInfoDecodedPayload).
///
/// It names no app: only the transaction or the notification beside it tells whose it is.
package struct RenewalInfoPayload: Sendable, Hashable {
    /// The payload as it was signed, with the members that are not known here.
    package let raw: JSONObject
    /// The members that are there but cannot be used; each counts as absent.
    package let unreadable: [String]

    package let expirationIntent: ExpirationIntent?
    /// Identifies the line of purchases.
    package let originalTransactionID: String?
    /// The product of the next period.
    package let autoRenewProductID: String?
    package let productID: String?
    package let autoRenewStatus: AutoRenewStatus?
    package let isInBillingRetry: Bool?
    package let priceIncreaseStatus: PriceIncreaseStatus?
    package let gracePeriodExpiresAt: Instant?
    /// The offer of the next period, as the other offer members.
    package let offerKind: OfferKind?
    package let offerID: String?
    package let offerDiscountType: OfferDiscountType?
    /// ISO 8601 duration.
    package let offerPeriod: String?
    package let signedAt: Instant?
    package let environment: StoreEnvironment?
    /// The start of the present run; gaps under 60 days do not end one.
    package let recentSubscriptionStartsAt: Instant?
    package let renewsAt: Instant?
    /// ISO 4217 code.
    package let currency: String?
    /// Thousandths of the currency's unit.
    package let renewalPrice: Int64?
    /// The best offer first.
    package let eligibleWinBackOfferIDs: [String]?
    package let appAccountToken: AccountID?
    package let appTransactionID: String?
    package let renewalBillingPlanType: BillingPlanType?
    package let commitmentInfo: RenewalCommitmentInfo?
    package let advancedCommerceInfo: AdvancedCommerceRenewalInfo?

    /// Reads the members of a decoded payload.
    package init(_ raw: JSONObject) {
        var reader = MemberReader(raw)
        expirationIntent = reader.code("expirationIntent")
        originalTransactionID = reader.identifier("originalTransactionId")
        autoRenewProductID = reader.identifier("autoRenewProductId")
        productID = reader.identifier("productId")
        autoRenewStatus = reader.code("autoRenewStatus")
        isInBillingRetry = reader.flag("isInBillingRetryPeriod")
        priceIncreaseStatus = reader.code("priceIncreaseStatus")
        gracePeriodExpiresAt = reader.instant("gracePeriodExpiresDate")
        offerKind = reader.code("offerType")
        offerID = reader.identifier("offerIdentifier")
        offerDiscountType = reader.name("offerDiscountType")
        offerPeriod = reader.text("offerPeriod")
        signedAt = reader.instant("signedDate")
        environment = reader.name("environment")
        recentSubscriptionStartsAt = reader.instant("recentSubscriptionStartDate")
        renewsAt = reader.instant("renewalDate")
        currency = reader.text("currency")
        renewalPrice = reader.integer("renewalPrice")
        eligibleWinBackOfferIDs = reader.texts("eligibleWinBackOfferIds")
        appAccountToken = reader.uuid("appAccountToken")
        appTransactionID = reader.identifier("appTransactionId")
        renewalBillingPlanType = reader.name("renewalBillingPlanType")
        commitmentInfo = reader.object("commitmentInfo").map { RenewalCommitmentInfo($0) }
        advancedCommerceInfo = reader.object("advancedCommerceInfo").map { AdvancedCommerceRenewalInfo($0) }
        unreadable = reader.unreadable
        self.raw = raw
    }
}
