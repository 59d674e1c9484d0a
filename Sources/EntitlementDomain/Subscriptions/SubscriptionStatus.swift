/// How the subscription of one line stands at one instant (StoreKit, Product.SubscriptionInfo.Status).
package struct SubscriptionStatus: Sendable, Hashable {
    package var line: LineID
    package var state: SubscriptionState
    /// Whether the state is `subscribed` only because a renewal is expected (`Policy.renewalLeeway`).
    package var isInLeeway: Bool
    /// The transaction of the period that decides: the newest signed version of it.
    package var transaction: TransactionFacts
    /// The revocation that stands, of any of the period's transaction ids.
    package var revokedAt: Instant?
    /// The end of the paid time: the period's end, later where a renewal date has moved it, earlier where another period
    /// took over.
    package var expiresAt: Instant
    /// When access by this line ends or ended, grace and refunds counted in.
    package var accessEndsAt: Instant
    /// What was last said about the renewal in this period; nil: nothing.
    package var renewal: RenewalFacts?
    /// The subscription group as the App Store names it; nil: no transaction of the line says.
    package var signedGroupID: String?
    /// The subscription group of the line's product in the catalog; nil: not mapped.
    package var catalogGroup: String?
    /// The level of service in the catalog; 1 is the highest.
    package var level: Int?

    /// Whether this status counts before another one of the same group: one that entitles beats one that does not, of two
    /// that entitle the higher level of service, then the later end of access. Equal ones are ordered by their lines.
    package func beats(_ other: SubscriptionStatus) -> Bool {
        if state.isEntitling != other.state.isEntitling { return state.isEntitling }
        let levels = (level ?? .max, other.level ?? .max)
        if state.isEntitling, levels.0 != levels.1 { return levels.0 < levels.1 }
        if accessEndsAt != other.accessEndsAt { return accessEndsAt > other.accessEndsAt }
        return line < other.line
    }
}
