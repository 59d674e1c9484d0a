/// What an Advanced Commerce offer is for (Advanced Commerce API, offer reason). An open set.
package struct AdvancedCommerceOfferReason: RawRepresentable, Sendable, Hashable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let acquisition = AdvancedCommerceOfferReason(rawValue: "ACQUISITION")
    package static let winBack = AdvancedCommerceOfferReason(rawValue: "WIN_BACK")
    package static let retention = AdvancedCommerceOfferReason(rawValue: "RETENTION")
}
