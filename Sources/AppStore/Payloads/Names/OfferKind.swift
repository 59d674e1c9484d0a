/// The kind of an offer (App Store Server API, offerType). An open set.
package struct OfferKind: RawRepresentable, Sendable, Hashable {
    package var rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    package static let introductory = OfferKind(rawValue: 1)
    package static let promotional = OfferKind(rawValue: 2)
    package static let offerCode = OfferKind(rawValue: 3)
    package static let winBack = OfferKind(rawValue: 4)
}
