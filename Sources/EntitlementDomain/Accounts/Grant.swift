/// An entitlement given without a purchase.
package struct Grant: Sendable, Hashable {
    package var id: AccountID
    package var entitlement: String
    package var startsAt: Instant
    /// Nil: no end.
    package var endsAt: Instant?
    package var revokedAt: Instant?

    package init(id: AccountID, entitlement: String, startsAt: Instant, endsAt: Instant?, revokedAt: Instant? = nil) {
        self.id = id
        self.entitlement = entitlement
        self.startsAt = startsAt
        self.endsAt = endsAt
        self.revokedAt = revokedAt
    }
}
