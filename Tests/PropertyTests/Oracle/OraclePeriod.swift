import EntitlementDomain

/// One subscription period with what the line's other facts say about it.
struct OraclePeriod {
    var purchase: OraclePurchase
    /// The end of its paid time.
    var end: Instant
    /// Whether another period or an upgrade ends it before its own end.
    var isCut: Bool
    /// "A later purchase replaces the period before it".
    var replacedAt: Instant?
    /// What was said about the renewal while it was the line's latest period, oldest first.
    var renewals: [RenewalFacts]

    var productID: String { purchase.newest.productID }

    /// A period without an end is malformed: it gives nothing and replaces nothing.
    static func periods(of line: FactSet, purchases: [OraclePurchase]) -> [OraclePeriod] {
        var sound = purchases.filter { purchase in
            purchase.newest.expiresAt.map { $0 > purchase.purchasedAt } ?? false
        }
        // What was upgraded before its date came, although it was signed already, comes before what upgraded it.
        sound.sort {
            ($0.newest.isUpgraded ? $0.start : $0.purchasedAt) < ($1.newest.isUpgraded ? $1.start : $1.purchasedAt)
        }
        let statements = line.renewals.sorted { $0.signedAt < $1.signedAt }
        return sound.indices.map { index in
            let purchase = sound[index]
            let replacedAt = sound[(index + 1)...].map(\.purchasedAt).min()
            let about = statements.filter { statement in
                (sound.lastIndex { $0.start <= statement.signedAt } ?? 0) == index
            }
            var end = purchase.newest.expiresAt ?? purchase.purchasedAt
            // An extension may show in the renewal date alone; the renewal date of a subscription whose renewal has
            // failed, or that has ended, promises nothing.
            for statement in about {
                let isHealthy =
                    !statement.isInBillingRetry && statement.gracePeriodExpiresAt == nil
                    && statement.expirationIntent == nil
                if let renewsAt = statement.renewsAt, isHealthy, (purchase.start..<end).contains(statement.signedAt) {
                    end = max(end, renewsAt)
                }
            }
            let cuts = [replacedAt, purchase.upgradedAt].compactMap(\.self).filter { $0 < end }
            return OraclePeriod(
                purchase: purchase,
                end: cuts.min() ?? end,
                isCut: !cuts.isEmpty,
                replacedAt: replacedAt,
                renewals: about
            )
        }
    }

    /// "A renewal is expected (auto-renew on, not revoked)"; after the App Store has said why it ended, none is.
    func isRenewalExpected(at instant: Instant) -> Bool {
        guard let info = info(at: instant) else { return false }
        return info.autoRenews == true && info.expirationIntent == nil
    }

    /// The newest renewal info known at the instant; before the first one of this period, the first.
    private func info(at instant: Instant) -> RenewalFacts? {
        let infos = renewals.filter { $0.autoRenews != nil }
        return infos.last { $0.signedAt <= instant } ?? infos.first
    }

    func willRenew(at instant: Instant) -> Bool? {
        info(at: instant)?.autoRenews
    }

    func pendingProductID(at instant: Instant) -> String? {
        guard let info = info(at: instant), info.autoRenews == true else { return nil }
        return info.autoRenewProductID == productID ? nil : info.autoRenewProductID
    }

    /// Whether the charge is being tried again, by the last that was said; until something was said after the end, by the
    /// first that is said after it.
    func isInBillingRetry(at instant: Instant) -> Bool {
        let telling = renewals.filter { $0.autoRenews != nil || $0.status != nil }
        func says(_ statement: RenewalFacts) -> Bool { statement.isInBillingRetry || statement.status == 3 }
        guard let last = telling.last(where: { $0.signedAt <= instant }) else {
            return telling.first.map(says) ?? false
        }
        if last.signedAt < end, !says(last), let next = telling.first(where: { $0.signedAt > instant }) {
            return says(next)
        }
        return says(last)
    }

    /// The end of the grace period as stated and as it holds: "grace period" without a date counts `span` from the end,
    /// and leaves a date that is known; a later word that no grace period runs ends it.
    func graceEnd(span: CalendarDuration) -> (stated: Instant, until: Instant)? {
        var grace: (stated: Instant, until: Instant)?
        for statement in renewals {
            if let date = statement.gracePeriodExpiresAt {
                grace = (date, date)
            } else if statement.saysGracePeriod {
                if grace == nil { grace = (end.adding(span), end.adding(span)) }
            } else if let known = grace, statement.signedAt < known.until {
                let deniesIt = statement.autoRenews != nil || [2, 3, 5].contains(statement.status)
                if deniesIt { grace = (known.stated, max(statement.signedAt, end)) }
            }
        }
        return grace.flatMap { $0.until > end ? $0 : nil }
    }
}
