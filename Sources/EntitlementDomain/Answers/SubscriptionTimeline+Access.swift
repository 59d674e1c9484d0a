extension SubscriptionTimeline {
    /// The choices of the company that shape a period's access.
    struct Rules {
        var refundAccess: RefundAccess
        var renewalLeeway: CalendarDuration
        var graceWithoutDate: CalendarDuration
    }

    /// How one period stands at one instant.
    struct Standing {
        var state: EntitlementState
        var isInLeeway = false
        /// Whether another period took over before this one's own end.
        var isReplaced = false
        var gracePeriodExpiresAt: Instant?
        /// When access ends or ended.
        var accessEndsAt: Instant
        /// The end of the paid time: the period's end, or the earlier instant at which another period took over.
        var expiresAt: Instant
        var revokedAt: Instant?
    }
}

extension SubscriptionTimeline.Period {
    /// What was last said about the renewal at this instant; before the first word, the first one.
    func renewal(at instant: Instant) -> RenewalFacts? {
        let spoken = renewals.filter { $0.autoRenews != nil }
        return spoken.last { $0.signedAt <= instant } ?? spoken.first
    }

    /// Whether this period has begun: nothing is said about it before.
    func hasBegun(at instant: Instant) -> Bool {
        purchase.startsAt <= instant
    }

    /// How this period, which has begun, stands at an instant.
    func standing(
        at instant: Instant,
        rules: SubscriptionTimeline.Rules,
        horizon: inout ChangeHorizon
    ) -> SubscriptionTimeline.Standing {
        var end = endsAt
        var isCut = false
        for cut in [replacedAt, upgradedAt] {
            if let cut, cut < end { (end, isCut) = (cut, true) }
        }
        horizon.note(end)
        // A statement signed later than the instant speaks from its signature on.
        for renewal in renewals { horizon.note(renewal.signedAt) }
        let revokedAt = purchase.revokedAt
        let revocationEnd = revocationEndsAccess(rules.refundAccess) ? revokedAt : nil
        horizon.note(revokedAt)
        if let revocationEnd, revocationEnd <= instant {
            // A prorated refund moves the period's end; a full one leaves it as it was sold.
            let isProrated = purchase.newest.revocationKind == .prorated
            return .init(
                state: .revoked,
                accessEndsAt: min(revocationEnd, isCut ? end : graceEnd(after: end, rules: rules)?.until ?? end),
                expiresAt: isProrated ? min(revocationEnd, end) : end,
                revokedAt: revokedAt
            )
        }
        let limit = min(replacedAt ?? .distantFuture, revocationEnd ?? .distantFuture)
        if instant < end {
            return .init(state: .active, accessEndsAt: min(end, limit), expiresAt: end, revokedAt: revokedAt)
        }
        // A period that another one cut off has no grace; nor has one whose refund is known and left it its end.
        if isCut || (revokedAt.map { $0 <= instant } ?? false) {
            return .init(
                state: .expired,
                isReplaced: isCut,
                accessEndsAt: end,
                expiresAt: end,
                revokedAt: revokedAt
            )
        }
        return standingAfterEnd(end, at: instant, limit: limit, rules: rules, horizon: &horizon)
    }

    /// Grace, leeway, billing retry or the end; access never lasts past `limit`.
    private func standingAfterEnd(
        _ end: Instant,
        at instant: Instant,
        limit: Instant,
        rules: SubscriptionTimeline.Rules,
        horizon: inout ChangeHorizon
    ) -> SubscriptionTimeline.Standing {
        let grace = graceEnd(after: end, rules: rules)
        let graceUntil = grace.map { min($0.until, limit) }
        var standing = SubscriptionTimeline.Standing(
            state: .expired,
            gracePeriodExpiresAt: grace?.stated,
            accessEndsAt: max(end, graceUntil ?? end),
            expiresAt: end,
            revokedAt: purchase.revokedAt
        )
        // What the next purchase of the line took over can no longer be in grace or wait for its charge.
        horizon.note(replacedAt)
        if let replacedAt, replacedAt <= instant {
            standing.isReplaced = true
            return standing
        }
        horizon.note(graceUntil)
        if let graceUntil, instant < graceUntil {
            standing.state = .inGracePeriod
            return standing
        }
        if let leewayEnd = leewayEnd(after: end, at: instant, leeway: rules.renewalLeeway).map({ min($0, limit) }) {
            horizon.note(leewayEnd)
            if instant < leewayEnd {
                standing.state = .active
                standing.isInLeeway = true
                standing.accessEndsAt = leewayEnd
                return standing
            }
        }
        standing.state = isInBillingRetry(at: instant, after: end) ? .inBillingRetryPeriod : .expired
        return standing
    }

    /// Whether the standing revocation ends access: a full refund does it by policy; a prorated one and the loss of a
    /// family share always do.
    private func revocationEndsAccess(_ refundAccess: RefundAccess) -> Bool {
        purchase.newest.revocationKind != .full || purchase.newest.ownership == .familyShared
            || refundAccess == .immediate
    }

    /// The end of the grace period as last stated, and the end of access by it.
    ///
    /// A statement that says "grace period" without a date leaves a date that is known; a later statement of the same
    /// period that denies the grace ends it early.
    private func graceEnd(
        after end: Instant,
        rules: SubscriptionTimeline.Rules
    ) -> (stated: Instant, until: Instant)? {
        let withoutDate = end.adding(rules.graceWithoutDate)
        var result: (stated: Instant, until: Instant)?
        for renewal in renewals {
            if let stated = renewal.gracePeriodExpiresAt {
                result = (stated, stated)
            } else if renewal.saysGracePeriod {
                result = result ?? (withoutDate, withoutDate)
            } else if let known = result, renewal.signedAt < known.until, renewal.deniesGracePeriod {
                result = (known.stated, max(renewal.signedAt, end))
            }
        }
        return result.flatMap { $0.until > end ? $0 : nil }
    }

    /// The end of the time in which a renewal is expected: auto-renew is on and the App Store has not said that the
    /// subscription is over. A charge that failed is tried again, so it ends no expectation.
    private func leewayEnd(after end: Instant, at instant: Instant, leeway: CalendarDuration) -> Instant? {
        guard !leeway.isZero, let renewal = renewal(at: instant), renewal.autoRenews == true,
            renewal.expirationIntent == nil
        else { return nil }
        return end.adding(leeway)
    }

    /// Whether the App Store tries to charge again, by what was last said; until something is said after the period's
    /// end, by the first that is.
    private func isInBillingRetry(at instant: Instant, after end: Instant) -> Bool {
        let telling = renewals.filter { $0.autoRenews != nil || $0.status != nil }
        let last = telling.last { $0.signedAt <= instant }
        if let last, last.signedAt >= end || last.saysBillingRetry { return last.saysBillingRetry }
        return (telling.first { $0.signedAt > instant } ?? last)?.saysBillingRetry ?? false
    }
}
