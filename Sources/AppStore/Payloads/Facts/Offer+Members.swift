package import EntitlementDomain

extension Offer {
    /// The offer that the four offer members of a payload describe; nil when they name no kind of offer.
    package init?(kind: OfferKind?, id: String?, discountType: OfferDiscountType?, period: String?) {
        guard let kind else { return nil }
        self.init(type: kind.rawValue, identifier: id, discountType: discountType?.rawValue, period: period)
    }
}
