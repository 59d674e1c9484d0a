package import EntitlementDomain

/// Which transactions of a customer are wanted (App Store Server API, Get Transaction History). All of it by default. It
/// must stay the same from page to page.
package struct TransactionHistoryQuery: Sendable, Hashable {
    /// The order by the date of the last change; only the ascending one can be continued later from a revision.
    package enum Sort: String, Sendable, Hashable {
        case ascending = "ASCENDING"
        case descending = "DESCENDING"
    }

    /// The earliest purchase date.
    package var startsAt: Instant?
    /// Purchases before this date only.
    package var endsAt: Instant?
    package var productIDs: [String] = []
    /// `AUTO_RENEWABLE`, `NON_RENEWABLE`, `CONSUMABLE`, `NON_CONSUMABLE`.
    package var productTypes: [String] = []
    package var sort: Sort?
    package var subscriptionGroupIDs: [String] = []
    package var ownership: Ownership?
    /// True: revoked ones only; false: none of them.
    package var isRevoked: Bool?

    package init() {}

    var items: [(name: String, value: String)] {
        var items: [(name: String, value: String)] = []
        if let startsAt { items.append(("startDate", "\(startsAt.milliseconds)")) }
        if let endsAt { items.append(("endDate", "\(endsAt.milliseconds)")) }
        items += productIDs.map { ("productId", $0) }
        items += productTypes.map { ("productType", $0) }
        if let sort { items.append(("sort", sort.rawValue)) }
        items += subscriptionGroupIDs.map { ("subscriptionGroupIdentifier", $0) }
        if let ownership {
            items.append(("inAppOwnershipType", ownership == .familyShared ? "FAMILY_SHARED" : "PURCHASED"))
        }
        if let isRevoked { items.append(("revoked", isRevoked ? "true" : "false")) }
        return items
    }
}
