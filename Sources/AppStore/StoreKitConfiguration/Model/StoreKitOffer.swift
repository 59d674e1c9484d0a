/// One offer of a subscription in a StoreKit configuration.
package struct StoreKitOffer: Sendable, Hashable {
    /// What signed transactions carry as `offerType`.
    package var kind: OfferKind
    /// What signed transactions carry as `offerIdentifier`: the `offerID` of a promotional or win-back offer, the
    /// `referenceName` of an offer code; nil for an introductory offer.
    package var identifier: String?
    /// What signed transactions carry as `offerDiscountType`, told by `paymentMode`.
    package var discountType: OfferDiscountType
    /// The length of one of its periods as written, an ISO 8601 duration such as `P3D`.
    package var period: String
    /// `numberOfPeriods`; older files leave out a 1.
    package var periodCount: Int
    /// The billing plan it belongs to; nil: none is named.
    package var billingPlan: BillingPlanType?

    package init(
        kind: OfferKind,
        identifier: String? = nil,
        discountType: OfferDiscountType,
        period: String,
        periodCount: Int = 1,
        billingPlan: BillingPlanType? = nil
    ) {
        self.kind = kind
        self.identifier = identifier
        self.discountType = discountType
        self.period = period
        self.periodCount = periodCount
        self.billingPlan = billingPlan
    }
}

extension OfferDiscountType {
    /// The discount that a `paymentMode` stands for; nil for one that is not known.
    init?(paymentMode: String) {
        switch paymentMode {
        case "free": self = .freeTrial
        case "payAsYouGo": self = .payAsYouGo
        case "payUpFront": self = .payUpFront
        default: return nil
        }
    }
}
