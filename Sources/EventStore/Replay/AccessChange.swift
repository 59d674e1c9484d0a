package import EntitlementDomain

/// What another catalog or policy does to one entitlement of one account at one instant.
package struct AccessChange: Sendable, Hashable {
    /// How access changes. The raw values are part of the JSON-RPC contract.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case gains
        case loses
        /// Access now under both, and it ends earlier.
        case endsSooner
        /// Access now under both, and it ends later.
        case endsLater
    }

    package var environment: StoreEnvironment
    package var account: AccountID
    package var entitlement: String
    package var kind: Kind
    /// Under the rules in force: the state, nil: never held, and when access ends, nil: never.
    package var stateBefore: EntitlementState?
    package var endBefore: Instant?
    /// Under the other rules.
    package var stateAfter: EntitlementState?
    package var endAfter: Instant?

    /// All changes between two answers about one account.
    static func all(
        _ key: LogFold.AccountKey,
        before: Answer,
        after: Answer
    ) -> [AccessChange] {
        let names = Set(before.entitlements.map(\.id)).union(after.entitlements.map(\.id)).sorted()
        return names.compactMap { name in
            let (old, new) = (before[entitlement: name], after[entitlement: name])
            let (wasActive, isActive) = (old?.isActive == true, new?.isActive == true)
            let ends = (old?.decisive.accessEndsAt, new?.decisive.accessEndsAt)
            let kind: Kind
            if wasActive != isActive {
                kind = isActive ? .gains : .loses
            } else if isActive, ends.0 != ends.1 {
                kind = (ends.1 ?? .distantFuture) < (ends.0 ?? .distantFuture) ? .endsSooner : .endsLater
            } else {
                return nil
            }
            return AccessChange(
                environment: key.environment,
                account: key.account,
                entitlement: name,
                kind: kind,
                stateBefore: old?.state,
                endBefore: ends.0,
                stateAfter: new?.state,
                endAfter: ends.1
            )
        }
    }
}
