import EntitlementDomain

/// What the rules say of one source of an entitlement at one instant.
struct OracleEntry: Hashable {
    var state: EntitlementState
    var isInLeeway = false
    var productID: String
    var originalTransactionID: String
    /// Nil: no end.
    var expiresAt: Instant?
    /// The stated end of the grace period that runs.
    var gracePeriodExpiresAt: Instant?
    var revokedAt: Instant?
    /// Nil: not known, or nothing to renew.
    var willRenew: Bool?
    var pendingProductID: String?
    /// When access ends or ended; nil: never.
    var accessEnd: Instant?

    var isActive: Bool { state == .active || state == .inGracePeriod }

    /// "An active one beats an inactive one, no end beats an end, a later end beats an earlier one".
    static func best(_ entries: [OracleEntry]) -> [OracleEntry] {
        func rank(_ entry: OracleEntry) -> (Int, Instant) {
            (entry.isActive ? 1 : 0, entry.accessEnd ?? .distantFuture)
        }
        guard let top = entries.map(rank).max(by: { $0 < $1 }) else { return [] }
        return entries.filter { rank($0) == top }
    }
}
