/// What one key is entitled to at one instant: the pure function of facts, catalog, policy and instant.
package struct Answer: Sendable, Hashable {
    package var instant: Instant
    /// One entry for each entitlement ever held by then, sorted by id.
    package var entitlements: [Entitlement]
    /// The balance of each currency ever credited by then.
    package var balances: [String: Int64]
    /// The next instant at which the clock alone may change this answer; nil: never.
    package var nextChangeAt: Instant?

    /// The entry of one entitlement; nil when it was never held.
    package subscript(entitlement id: String) -> Entitlement? {
        entitlements.first { $0.id == id }
    }
}

extension Account {
    /// Answers for one instant, `answersFrom` or later. Access depends on the facts known and on the clock, on no timer
    /// and no message.
    package func answer(at instant: Instant, catalog: Catalog, policy: Policy) -> Answer {
        assert(instant >= answersFrom, "the heads of these lines do not reach back to \(instant.iso8601)")
        var horizon = ChangeHorizon(after: instant)
        if state.isErased { return Answer(instant: instant, entitlements: [], balances: [:], nextChangeAt: nil) }
        var sources: [EntitlementSource] = []
        for line in lines { sources += line.sources(catalog: catalog, policy: policy, horizon: &horizon) }
        sources += passSources(catalog: catalog, horizon: &horizon)
        sources += grantSources(horizon: &horizon)
        applyHolds(to: &sources, horizon: &horizon)
        applyErasure(to: &sources)
        let entitlements = Self.entitlements(of: sources)
        let balances = balances(catalog: catalog, policy: policy, horizon: &horizon)
        return Answer(
            instant: instant,
            entitlements: entitlements,
            balances: balances,
            nextChangeAt: horizon.next
        )
    }

    /// One entry for each entitlement, sorted by id.
    private static func entitlements(of sources: [EntitlementSource]) -> [Entitlement] {
        guard let first = sources.first else { return [] }
        // Most accounts have one entitlement, and most of them from one purchase.
        if sources.allSatisfy({ $0.entitlement == first.entitlement }) {
            return [Entitlement(sources: sources)].compactMap(\.self)
        }
        return Dictionary(grouping: sources, by: \.entitlement).values.compactMap(Entitlement.init(sources:))
            .sorted { $0.id < $1.id }
    }
}
