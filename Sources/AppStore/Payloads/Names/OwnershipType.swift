/// How the customer holds a purchase (App Store Server API, inAppOwnershipType). An open set.
package struct OwnershipType: RawRepresentable, Sendable, Hashable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let purchased = OwnershipType(rawValue: "PURCHASED")
    package static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")
}
