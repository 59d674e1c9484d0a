/// The offer under which a period was bought (`offerType`, `offerIdentifier`, `offerDiscountType`, `offerPeriod`).
package struct Offer: Sendable, Hashable {
    /// 1 introductory, 2 promotional, 3 offer code, 4 win-back; other numbers are kept as they came.
    package var type: Int
    /// The offer's identifier; absent for introductory offers.
    package var identifier: String?
    /// `FREE_TRIAL`, `PAY_AS_YOU_GO`, `PAY_UP_FRONT`, `ONE_TIME` or a later value.
    package var discountType: String?
    /// ISO 8601 duration of the offer.
    package var period: String?

    package init(type: Int, identifier: String? = nil, discountType: String? = nil, period: String? = nil) {
        self.type = type
        self.identifier = identifier
        self.discountType = discountType
        self.period = period
    }

    /// The name of the type in answers; the number as text when it is not known.
    package var typeName: String {
        switch type {
        case 1: "introductory"
        case 2: "promotional"
        case 3: "offerCode"
        case 4: "winBack"
        default: String(type)
        }
    }
}
