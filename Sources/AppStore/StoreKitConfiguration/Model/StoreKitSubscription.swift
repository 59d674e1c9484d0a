/// One auto-renewable subscription of a StoreKit configuration.
package struct StoreKitSubscription: Sendable, Hashable {
    package var product: StoreKitProduct
    /// `groupNumber`: the level of service in the group; 1 is the highest, equal numbers are one level.
    package var level: Int
    /// `recurringSubscriptionPeriod` as written, an ISO 8601 duration such as `P1M`.
    package var period: String
    /// All its offers: introductory, promotional, codes, win-back.
    package var offers: [StoreKitOffer]
    /// The billing plans that are enabled; empty before version 5.
    package var billingPlans: [BillingPlanType]

    package init(
        product: StoreKitProduct,
        level: Int,
        period: String,
        offers: [StoreKitOffer] = [],
        billingPlans: [BillingPlanType] = []
    ) {
        self.product = product
        self.level = level
        self.period = period
        self.offers = offers
        self.billingPlans = billingPlans
    }
}
