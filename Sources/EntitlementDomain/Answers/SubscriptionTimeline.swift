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
        let sound = purchases.filter { purchase in
            purchase.newest.expiresAt.map { $0 > purchase.purchasedAt } ?? false
        }
        var periods: [Period] = []
        periods.reserveCapacity(sound.count)
        for (index, purchase) in sound.enumerated() {
            let next = index + 1 < sound.count ? sound[index + 1] : nil
            let from = purchase.startsAt
            let until = next?.startsAt
            let slice = Self.slice(of: renewals, from: index == 0 ? .distantPast : from, until: until)
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
                    replacedAt: next?.purchasedAt,
                    upgradedAt: purchase.newest.isUpgraded ? purchase.state.upgradedAt : nil,
                    renewals: slice
                )
            )
        }
        self.periods = periods
    }

    private static func slice(
        of renewals: [RenewalFacts],
        from start: Instant,
        until end: Instant?
    ) -> ArraySlice<RenewalFacts> {
        let low = renewals.firstIndex { $0.signedAt >= start } ?? renewals.count
        let high = end.flatMap { end in renewals.firstIndex { $0.signedAt >= end } } ?? renewals.count
        return renewals[low..<max(low, high)]
    }
}
