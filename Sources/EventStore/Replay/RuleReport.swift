package import EntitlementDomain

/// What other rules would do to all accounts.
package struct RuleReport: Sendable {
    /// The last position of the log that was folded.
    package var position: LogPosition
    package var instant: Instant
    package var eventCount: Int64
    package var accountCount: Int64 = 0
    /// How many entitlements change, by kind.
    package var counts: [AccessChange.Kind: Int64] = [:]
    /// The first changes, in the order of the accounts.
    package var changes: [AccessChange] = []

    /// Whether nothing changes.
    package var isEqual: Bool { counts.isEmpty }
}
