/// Where an entitlement's source was bought or issued.
package enum Store: String, Sendable, Hashable, Comparable {
    /// A purchase in the App Store.
    case appStore = "appstore"
    /// Access given by the company, without a purchase.
    case grant

    package static func < (left: Store, right: Store) -> Bool {
        left.rawValue < right.rawValue
    }
}
