import EntitlementDomain
import TestKit

/// Charges that fail, and what comes of it.
extension SubscriptionStory {
    mutating func failWithGrace(_ random: inout SeededGenerator) {
        let boundary = end
        clock = max(clock, moment(around: boundary, &random))
        renewal.isInBillingRetry = true
        let hasDate = random.chance(4, in: 5)
        renewal.gracePeriodExpiresAt =
            hasDate ? boundary.advanced(byMilliseconds: Int64(random.pick([3, 16, 28])) * Span.day) : nil
        graceUntil = renewal.gracePeriodExpiresAt ?? boundary.advanced(byMilliseconds: 16 * Span.day)
        phase = .failing
        say(.grace, status: 4, withInfo: hasDate || random.chance(2, in: 3))
    }

    mutating func failWithoutGrace(_ random: inout SeededGenerator) {
        clock = max(clock, moment(around: end, &random))
        renewal.isInBillingRetry = true
        graceUntil = nil
        phase = .failing
        say(.failure, status: 3, withInfo: random.chance(5, in: 6))
    }

    mutating func graceRunsOut(_ random: inout SeededGenerator) {
        guard let graceEnd = graceUntil else { return }
        clock = max(clock, graceEnd.advanced(byMilliseconds: Int64(random.number(0...120)) * Span.minute))
        if random.chance(1, in: 2) { renewal.gracePeriodExpiresAt = nil }
        say(.graceExpired, status: 3)
    }

    /// The charge succeeds: inside the grace period the anniversary stays, after it the period begins anew.
    mutating func recover(_ random: inout SeededGenerator) {
        let boundary = end
        let product = renewal.autoRenewProductID ?? periods[current].truth.productID
        let length = periods[current].length
        let latest = graceUntil ?? boundary.advanced(byMilliseconds: 60 * Span.day)
        let paidAt = random.instant(
            from: max(clock, boundary).advanced(byMilliseconds: 1),
            to: max(latest, clock.advanced(byMilliseconds: Span.day))
        )
        let isInside = graceUntil.map { paidAt < $0 } ?? false
        let purchasedAt = isInside && random.chance(1, in: 2) ? boundary : paidAt
        let end = (isInside ? boundary : paidAt).advanced(byMilliseconds: length)
        guard purchasedAt < end, paidAt < end else { return lapse(&random) }
        begin(product, at: purchasedAt, signedAt: paidAt, length: length, isRenewal: true)
        periods[current].truth.expiresAt = end
        renewal.renewsAt = end
        say(.recovery, status: 1)
    }

    private func moment(around boundary: Instant, _ random: inout SeededGenerator) -> Instant {
        random.chance(1, in: 3)
            ? boundary.advanced(byMilliseconds: -Int64(random.number(1...86_400)) * 1_000)
            : boundary.advanced(byMilliseconds: Int64(random.number(0...7_200)) * 1_000)
    }
}
