import EntitlementDomain

extension Oracle {
    /// The entries of one line's subscription periods: of those that give access the best, else the latest.
    func subscriptionEntries(of line: FactSet, at instant: Instant) -> [String: [OracleEntry]] {
        let periods = OraclePeriod.periods(of: line, purchases: purchases(of: line, .autoRenewable))
        var entries: [String: [OracleEntry]] = [:]
        for entitlement in catalog.entitlements {
            var found: [OracleEntry] = []
            for period in periods where period.purchase.start <= instant {
                guard let product = catalog[period.productID], product.grants.contains(entitlement) else { continue }
                found.append(entry(of: period, product: product, line: line, at: instant))
            }
            let active = found.filter(\.isActive)
            if !active.isEmpty {
                entries[entitlement] = OracleEntry.best(active)
            } else if let latest = found.last {
                entries[entitlement] = [latest]
            }
        }
        return entries
    }

    private func entry(of period: OraclePeriod, product: Product, line: FactSet, at instant: Instant) -> OracleEntry {
        let revokedAt = period.purchase.revokedAt
        let refundAccess = product.refundAccess ?? policy.refundAccess
        // "A refunded subscription period keeps access to its end" speaks of refunds; a prorated one "ends its period at
        // the revocation date" under every policy, and the loss of a family share is no refund.
        let keepsAccess =
            refundAccess == .endOfPeriod && period.purchase.newest.revocationKind == .full
            && line.line.ownership == .purchased
        let isRevoked = !keepsAccess && period.purchase.isRevoked(at: instant)
        let isReplaced = period.replacedAt.map { $0 <= instant } ?? false
        let wasRefunded = period.purchase.isRevoked(at: instant)

        var entry = OracleEntry(
            state: .expired,
            productID: period.productID,
            originalTransactionID: line.line.originalTransactionID,
            expiresAt: period.end,
            revokedAt: revokedAt
        )
        entry.willRenew = isRevoked ? false : period.willRenew(at: instant)
        entry.pendingProductID = period.pendingProductID(at: instant)
        let limits = [period.replacedAt, keepsAccess ? nil : revokedAt].compactMap(\.self)
        let access = [period.end] + (period.isCut || (keepsAccess && wasRefunded) ? [] : afterTheEnd(period, product))
        entry.accessEnd = ([access.max() ?? period.end] + limits).min()
        if isRevoked {
            entry.state = .revoked
            // "A prorated refund of a subscription ends its period at the revocation date".
            if period.purchase.newest.revocationKind == .prorated, let revokedAt {
                entry.expiresAt = min(revokedAt, period.end)
            }
            return entry
        }
        if instant < period.end {
            entry.state = .active
            entry.accessEnd = ([period.end] + limits).min()
            return entry
        }
        // A later purchase took over, or the refund was known and had left the period its end: nothing follows.
        if isReplaced || period.isCut || (keepsAccess && wasRefunded) { return entry }
        if let grace = period.graceEnd(span: policy.graceWithoutDate), instant < grace.until {
            entry.state = .inGracePeriod
            entry.gracePeriodExpiresAt = grace.stated
            entry.accessEnd = ([grace.until] + limits).min()
            return entry
        }
        if let leewayEnd = leewayEnd(period, product), period.isRenewalExpected(at: instant), instant < leewayEnd {
            entry.state = .active
            entry.isInLeeway = true
            entry.accessEnd = ([leewayEnd] + limits).min()
            return entry
        }
        entry.state = period.isInBillingRetry(at: instant) ? .inBillingRetryPeriod : .expired
        return entry
    }

    /// "Access goes on that long past the end while a renewal is expected (auto-renew on, not revoked)".
    private func leewayEnd(_ period: OraclePeriod, _ product: Product) -> Instant? {
        let leeway = product.renewalLeeway ?? policy.renewalLeeway
        return leeway.isZero ? nil : period.end.adding(leeway)
    }

    private func afterTheEnd(_ period: OraclePeriod, _ product: Product) -> [Instant] {
        [period.graceEnd(span: policy.graceWithoutDate)?.until].compactMap(\.self)
    }
}
