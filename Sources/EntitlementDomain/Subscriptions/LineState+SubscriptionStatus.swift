extension LineState {
    /// The transactions of the line that are subscription periods, also those of products that the catalog does not map.
    func subscriptionTransactions(catalog: Catalog) -> [TransactionState] {
        transactions.filter { catalog.type(of: $0.newest) == .autoRenewable }
    }

    /// How the line's subscription stands; nil when no period of it has begun by the instant.
    ///
    /// The period that began last decides, unless an older one still gives access and it does not: a renewal that was
    /// charged early and refunded leaves the period before it.
    ///
    /// - Parameter horizon: collects the instants at which the clock alone changes the result.
    func subscriptionStatus(catalog: Catalog, policy: Policy, horizon: inout ChangeHorizon) -> SubscriptionStatus? {
        let subscriptions = purchases.filter { catalog.type(of: $0.newest) == .autoRenewable }
        var chosen: SubscriptionStatus?
        for period in SubscriptionTimeline(purchases: subscriptions, renewals: renewals).periods.reversed() {
            horizon.note(period.purchase.startsAt)
            guard period.hasBegun(at: horizon.instant) else { continue }
            let status = status(of: period, catalog: catalog, policy: policy, horizon: &horizon)
            if chosen == nil || status.state.isEntitling { chosen = status }
            if status.state.isEntitling { break }
        }
        return chosen
    }

    private func status(
        of period: SubscriptionTimeline.Period,
        catalog: Catalog,
        policy: Policy,
        horizon: inout ChangeHorizon
    ) -> SubscriptionStatus {
        let product = catalog[period.productID]
        let rules = SubscriptionTimeline.Rules(
            refundAccess: product?.refundAccess ?? policy.refundAccess,
            renewalLeeway: product?.renewalLeeway ?? policy.renewalLeeway,
            graceWithoutDate: policy.graceWithoutDate
        )
        let standing = period.standing(at: horizon.instant, rules: rules, horizon: &horizon)
        let newest = period.purchase.newest
        return SubscriptionStatus(
            line: id,
            state: SubscriptionState(standing.state),
            isInLeeway: standing.isInLeeway,
            transaction: newest,
            revokedAt: period.purchase.revokedAt,
            expiresAt: standing.expiresAt,
            accessEndsAt: standing.accessEndsAt,
            renewal: period.renewal(at: horizon.instant),
            signedGroupID: newest.subscriptionGroupID
                ?? transactions.last { $0.newest.subscriptionGroupID != nil }?.newest.subscriptionGroupID,
            catalogGroup: product?.subscriptionGroup
                ?? transactions.last { catalog[$0.newest.productID]?.subscriptionGroup != nil }
                .flatMap { catalog[$0.newest.productID]?.subscriptionGroup },
            level: product?.level
        )
    }
}
