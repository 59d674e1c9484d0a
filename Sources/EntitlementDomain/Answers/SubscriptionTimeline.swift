/// A line's subscription periods on the time line: when each gives access, and in which state.
///
/// Within one line a later purchase replaces the period before it, whatever end that period once had
/// (an upgrade, or a renewal charged early).
struct SubscriptionTimeline {
    /// One period with what ends it.
    struct Period {
        var purchase: Purchase
        /// The end that the store states, extended where a renewal date says so.
        var endsAt: Instant
        /// When the next purchase of the line took over; nil: it is the last one.
        var replacedAt: Instant?
        /// When the period was upgraded away, as far as its own versions tell.
        var upgradedAt: Instant?
        /// The statements about the line's renewal that were signed while this was its current period.
        var renewals: ArraySlice<RenewalFacts>

        var productID: String { purchase.newest.productID }
    }

    let periods: [Period]

    /// - Parameter purchases: the line's subscription purchases in order. A period without an end, or whose end is
    ///   not after its purchase, is malformed: it gives nothing and replaces nothing.
    init(purchases: [Purchase], renewals: [RenewalFacts]) {
        let sound = Self.inOrder(purchases.allSatisfy(Self.isSound) ? purchases : purchases.filter(Self.isSound))
        var periods: [Period] = []
        periods.reserveCapacity(sound.count)
        let slices = Self.slices(of: renewals, periods: sound)
        for (index, purchase) in sound.enumerated() {
            let from = purchase.startsAt
            let slice = slices[index]
            var endsAt = purchase.newest.expiresAt ?? purchase.purchasedAt
            // A renewal date that was moved behind the period's end (RENEWAL_EXTENDED) extends the period, also when
            // the transaction was not signed again. It counts only when it was said during the period and nothing
            // had failed: the renewal date of a failed or cancelled subscription is no promise.
            for renewal in slice {
                guard let renewsAt = renewal.renewsAt, renewal.signedAt < endsAt, renewsAt > endsAt,
                    !renewal.isInBillingRetry, renewal.gracePeriodExpiresAt == nil, renewal.expirationIntent == nil,
                    renewal.signedAt > from
                else { continue }
                endsAt = renewsAt
            }
            periods.append(
                Period(
                    purchase: purchase,
                    endsAt: endsAt,
                    replacedAt: nil,
                    upgradedAt: purchase.newest.isUpgraded ? purchase.state.upgradedAt : nil,
                    renewals: slice
                )
            )
        }
        var replacedAt: Instant?
        for index in periods.indices.reversed() {
            periods[index].replacedAt = replacedAt
            replacedAt = min(replacedAt ?? .distantFuture, periods[index].purchase.purchasedAt)
        }
        self.periods = periods
    }

    /// Whether a purchase is a period: one without an end, or whose end is not after its purchase, is malformed.
    static func isSound(_ purchase: Purchase) -> Bool {
        purchase.newest.expiresAt.map { $0 > purchase.purchasedAt } ?? false
    }

    /// The purchases by date. One that was dated ahead of its signature and then upgraded away before its date comes
    /// before the purchase that upgraded it.
    static func inOrder(_ purchases: [Purchase]) -> [Purchase] {
        func date(_ purchase: Purchase) -> Instant {
            purchase.newest.isUpgraded ? purchase.startsAt : purchase.purchasedAt
        }
        guard purchases.contains(where: { date($0) != $0.purchasedAt }) else { return purchases }
        return purchases.enumerated().sorted { left, right in
            (date(left.element), left.offset) < (date(right.element), right.offset)
        }.map(\.element)
    }

    /// For each period the statements that were signed while it was the latest that had begun.
    static func slices(of renewals: [RenewalFacts], periods: [Purchase]) -> [ArraySlice<RenewalFacts>] {
        guard !periods.isEmpty else { return [] }
        if periods.count == 1 { return [renewals[...]] }
        var slices = [ArraySlice<RenewalFacts>](repeating: renewals[0..<0], count: periods.count)
        let begun = periods.indices.sorted { (periods[$0].startsAt, $0) < (periods[$1].startsAt, $1) }
        var latest = 0
        var next = 0
        var low = 0
        for (position, renewal) in renewals.enumerated() {
            var candidate = latest
            while next < begun.count, periods[begun[next]].startsAt <= renewal.signedAt {
                candidate = max(candidate, begun[next])
                next += 1
            }
            if candidate != latest {
                slices[latest] = renewals[low..<position]
                (latest, low) = (candidate, position)
            }
        }
        slices[latest] = renewals[low...]
        return slices
    }
}
