/// One purchase or grant that gives, or gave, an entitlement, as it stands at one instant.
package struct EntitlementSource: Sendable, Hashable {
    package var entitlement: String
    package var state: EntitlementState
    /// Whether access goes on only because a renewal is expected (`Policy.renewalLeeway`).
    package var isInLeeway = false
    /// Whether a later purchase of the line, or an upgrade, ended the period before its own end.
    package var isReplaced = false
    /// Whether a hold of the company takes the access away.
    package var isHeld = false
    /// Whether the account that owned the purchase was erased.
    package var isErased = false
    package var store: Store
    package var environment: StoreEnvironment?
    package var grantID: AccountID?
    package var bundleID: String?
    package var productID: String?
    package var productType: ProductType?
    package var originalTransactionID: String?
    package var transactionID: String?
    package var startsAt: Instant
    /// The end of the paid period; nil: no end.
    package var expiresAt: Instant?
    package var gracePeriodExpiresAt: Instant?
    /// When access ends or ended, all things considered; nil: no end. It ranks the sources.
    package var accessEndsAt: Instant?
    /// Whether a renewal is expected; nil when unknown or when there is nothing to renew.
    package var willRenew: Bool?
    /// The product that renews next, when it is another one.
    package var pendingProductID: String?
    package var ownership: Ownership?
    package var offer: Offer?
    package var revokedAt: Instant?

    package var isActive: Bool { state.isActive && !isHeld && !isErased }

    /// The state in answers: access that a hold or an erasure takes away reads as revoked.
    package var answeredState: EntitlementState { state.isActive && !isActive ? .revoked : state }

    /// The line that the source is a purchase of; nil for a grant. Passes that stack over lines name the last one.
    package var lineID: LineID? {
        guard let originalTransactionID, let bundleID, let environment else { return nil }
        return LineID(
            store: store,
            environment: environment,
            bundleID: bundleID,
            originalTransactionID: originalTransactionID,
            ownership: ownership ?? .purchased
        )
    }

    /// Whether this source beats another one of the same entitlement: an active one beats an inactive one, no end
    /// beats an end, a later end beats an earlier one. Equal ones are ordered by their keys, so that the choice
    /// never depends on the order in which they were found.
    package func beats(_ other: EntitlementSource) -> Bool {
        if isActive != other.isActive { return isActive }
        let ends = (accessEndsAt ?? .distantFuture, other.accessEndsAt ?? .distantFuture)
        if ends.0 != ends.1 { return ends.0 > ends.1 }
        if startsAt != other.startsAt { return startsAt > other.startsAt }
        return (
            productID ?? "", originalTransactionID ?? "", bundleID ?? "", ownership?.rawValue ?? "",
            grantID?.description ?? ""
        )
            < (
                other.productID ?? "", other.originalTransactionID ?? "", other.bundleID ?? "",
                other.ownership?.rawValue ?? "", other.grantID?.description ?? ""
            )
    }
}
