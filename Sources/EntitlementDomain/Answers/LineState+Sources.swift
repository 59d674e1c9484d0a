extension LineState {
    /// Every entitlement that this line gives or gave by the instant, one source for each, except passes that stack
    /// over several lines (`Account.passSources`).
    ///
    /// - Parameter horizon: collects the instants at which the clock alone changes the result.
    package func sources(
        catalog: Catalog,
        policy: Policy,
        horizon: inout ChangeHorizon
    ) -> [EntitlementSource] {
        let purchases = self.purchases
        if purchases.allSatisfy({ catalog.type(of: $0.newest) == .autoRenewable }) {
            return subscriptionSources(purchases, catalog: catalog, policy: policy, horizon: &horizon)
        }
        var subscriptions: [Purchase] = []
        var lifetimes: [Purchase] = []
        for purchase in purchases {
            switch catalog.type(of: purchase.newest) {
            case .autoRenewable: subscriptions.append(purchase)
            case .nonConsumable: lifetimes.append(purchase)
            case .nonRenewing, .consumable, nil: break
            }
        }
        return subscriptionSources(subscriptions, catalog: catalog, policy: policy, horizon: &horizon)
            + lifetimeSources(lifetimes, catalog: catalog, horizon: &horizon)
    }

    private func subscriptionSources(
        _ purchases: [Purchase],
        catalog: Catalog,
        policy: Policy,
        horizon: inout ChangeHorizon
    ) -> [EntitlementSource] {
        // One entry for each entitlement: they are few.
        var chosen: [EntitlementSource] = []
        // Newest first: of the periods that give nothing, the one that began last says why.
        for period in SubscriptionTimeline(purchases: purchases, renewals: renewals).periods.reversed() {
            horizon.note(period.purchase.startsAt)
            guard period.hasBegun(at: horizon.instant), let product = catalog[period.productID] else { continue }
            let rules = SubscriptionTimeline.Rules(
                refundAccess: product.refundAccess ?? policy.refundAccess,
                renewalLeeway: product.renewalLeeway ?? policy.renewalLeeway,
                graceWithoutDate: policy.graceWithoutDate
            )
            let standing = period.standing(at: horizon.instant, rules: rules, horizon: &horizon)
            for entitlement in product.grants {
                let source = source(of: entitlement, in: period, standing: standing, at: horizon.instant)
                guard let place = chosen.firstIndex(where: { $0.entitlement == entitlement }) else {
                    chosen.append(source)
                    continue
                }
                let isKnownActive = chosen[place].isActive
                if source.isActive, !isKnownActive || source.beats(chosen[place]) { chosen[place] = source }
            }
        }
        if chosen.count > 1 { chosen.sort { $0.entitlement < $1.entitlement } }
        return chosen
    }

    private func source(
        of entitlement: String,
        in period: SubscriptionTimeline.Period,
        standing: SubscriptionTimeline.Standing,
        at instant: Instant
    ) -> EntitlementSource {
        let renewal = period.renewal(at: instant)
        let pending = renewal?.autoRenewProductID
        return EntitlementSource(
            entitlement: entitlement,
            state: standing.state,
            isInLeeway: standing.isInLeeway,
            isReplaced: standing.isReplaced,
            store: id.store,
            environment: id.environment,
            bundleID: id.bundleID,
            productID: period.productID,
            productType: .autoRenewable,
            originalTransactionID: id.originalTransactionID,
            transactionID: period.purchase.newest.transactionID,
            startsAt: period.purchase.startsAt,
            expiresAt: standing.expiresAt,
            gracePeriodExpiresAt: standing.gracePeriodExpiresAt,
            accessEndsAt: standing.accessEndsAt,
            willRenew: standing.state == .revoked ? false : renewal?.autoRenews,
            pendingProductID: renewal?.autoRenews == true && pending != period.productID ? pending : nil,
            ownership: id.ownership,
            offer: period.purchase.newest.offer,
            revokedAt: standing.revokedAt
        )
    }

    /// A lifetime purchase is one purchase however many transaction ids it has: the refund of one ends them all. Bought
    /// again after a refund it keeps its original transaction id and is a new purchase.
    private func lifetimeSources(
        _ purchases: [Purchase],
        catalog: Catalog,
        horizon: inout ChangeHorizon
    ) -> [EntitlementSource] {
        let standing = purchases.filter { refunded in
            guard let revokedAt = refunded.revokedAt else { return false }
            // A version of any of its ids that was signed later without a revocation lifts the refund.
            return !purchases.contains { other in
                other.purchasedAt <= revokedAt && other.state.lifts(refunded.state)
            }
        }
        var sources: [EntitlementSource] = []
        for entitlement in Set(purchases.flatMap { catalog[$0.newest.productID]?.grants ?? [] }).sorted() {
            var best: EntitlementSource?
            for purchase in purchases {
                guard catalog[purchase.newest.productID]?.grants.contains(entitlement) ?? false else { continue }
                horizon.note(purchase.startsAt)
                guard purchase.startsAt <= horizon.instant else { continue }
                let revokedAt = standing.compactMap(\.revokedAt).filter { $0 >= purchase.purchasedAt }.min()
                horizon.note(revokedAt)
                let isRevoked = revokedAt.map { $0 <= horizon.instant } ?? false
                let source = EntitlementSource(
                    entitlement: entitlement,
                    state: isRevoked ? .revoked : .active,
                    store: id.store,
                    environment: id.environment,
                    bundleID: id.bundleID,
                    productID: purchase.newest.productID,
                    productType: .nonConsumable,
                    originalTransactionID: id.originalTransactionID,
                    transactionID: purchase.newest.transactionID,
                    startsAt: purchase.startsAt,
                    accessEndsAt: revokedAt,
                    ownership: id.ownership,
                    offer: purchase.newest.offer,
                    revokedAt: revokedAt
                )
                if best.map({ source.beats($0) }) ?? true { best = source }
            }
            if let best { sources.append(best) }
        }
        return sources
    }
}
