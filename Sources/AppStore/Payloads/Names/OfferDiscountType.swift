/// How an offer is paid (App Store Server API, offerDiscountType). An open set.
package struct OfferDiscountType: RawRepresentable, Sendable, Hashable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let freeTrial = OfferDiscountType(rawValue: "FREE_TRIAL")
    package static let payAsYouGo = OfferDiscountType(rawValue: "PAY_AS_YOU_GO")
    package static let payUpFront = OfferDiscountType(rawValue: "PAY_UP_FRONT")
    /// An offer code for a product that is no subscription.
    package static let oneTime = OfferDiscountType(rawValue: "ONE_TIME")
}
