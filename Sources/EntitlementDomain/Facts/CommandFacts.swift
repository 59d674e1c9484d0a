/// What a command of the company says, as far as the fold depends on it. Which members count depends on the event's
/// type.
package struct CommandFacts: Sendable, Hashable {
    /// The grant or hold that the event issues, revokes, places or lifts.
    package var id: AccountID?
    /// The entitlement that is granted or held.
    package var entitlement: String?
    /// The currency that is spent.
    package var currency: String?
    /// How many units are spent.
    package var units: Int64?
    /// When a grant begins.
    package var startsAt: Instant?
    /// When a grant ends; nil: no end.
    package var endsAt: Instant?

    package init(
        id: AccountID? = nil,
        entitlement: String? = nil,
        currency: String? = nil,
        units: Int64? = nil,
        startsAt: Instant? = nil,
        endsAt: Instant? = nil
    ) {
        self.id = id
        self.entitlement = entitlement
        self.currency = currency
        self.units = units
        self.startsAt = startsAt
        self.endsAt = endsAt
    }
}
