/// How the customer of a transaction holds it (`inAppOwnershipType`). The raw values are the App Store's.
package enum Ownership: String, Sendable, Hashable, Comparable {
    case purchased = "PURCHASED"
    case familyShared = "FAMILY_SHARED"

    package static func < (left: Ownership, right: Ownership) -> Bool {
        left.rawValue < right.rawValue
    }
}
