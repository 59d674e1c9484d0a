/// One product of the catalog: what it is and what it grants.
package struct Product: Sendable, Hashable {
    package var id: String
    package var type: ProductType
    /// The entitlements it grants while access lasts.
    package var grants: [String]
    /// Group of mutually exclusive subscriptions.
    package var subscriptionGroup: String?
    /// Level of service in its group; 1 is the highest.
    package var level: Int?
    /// Length of a subscription period.
    package var period: CalendarDuration?
    /// Length of a non-renewing pass.
    package var duration: CalendarDuration?
    /// Whether passes bought while one runs follow each other; otherwise each runs from its own purchase.
    package var stacking: Bool
    /// Units of each currency that one piece of a consumable credits.
    package var credits: [String: Int64]
    /// What a refund does to a subscription period of this product; nil: the service's policy.
    package var refundAccess: RefundAccess?
    /// How long access goes on while a renewal is expected; nil: the service's policy.
    package var renewalLeeway: CalendarDuration?

    package init(
        id: String,
        type: ProductType,
        grants: [String] = [],
        subscriptionGroup: String? = nil,
        level: Int? = nil,
        period: CalendarDuration? = nil,
        duration: CalendarDuration? = nil,
        stacking: Bool = false,
        credits: [String: Int64] = [:],
        refundAccess: RefundAccess? = nil,
        renewalLeeway: CalendarDuration? = nil
    ) {
        self.id = id
        self.type = type
        self.grants = grants
        self.subscriptionGroup = subscriptionGroup
        self.level = level
        self.period = period
        self.duration = duration
        self.stacking = stacking
        self.credits = credits
        self.refundAccess = refundAccess
        self.renewalLeeway = renewalLeeway
    }
}
