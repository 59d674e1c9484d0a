import EntitlementDomain
import TestKit

/// How periods begin and end.
extension SubscriptionStory {
    mutating func buy(_ product: String, _ name: SignedStatement.Name, _ random: inout SeededGenerator) {
        // The App Store dates some purchases ahead of their signature.
        let ahead = random.chance(1, in: 8) ? Span.hour : 0
        let length = Self.length(of: product, &random)
        begin(product, at: clock.advanced(byMilliseconds: ahead), signedAt: clock, length: length, isRenewal: false)
        say(name, status: 1, withInfo: random.chance(4, in: 5))
        if random.chance(1, in: 3) { say(nil, at: clock.advanced(byMilliseconds: 1_000), status: nil) }
    }

    mutating func renew(_ random: inout SeededGenerator) {
        guard renewal.autoRenews == true else { return lapse(&random) }
        let boundary = end
        let early = random.chance(1, in: 3) ? Int64(random.number(1...86_400)) * 1_000 : 0
        let late = early == 0 ? Int64(random.number(0...600)) * 1_000 : 0
        let product = renewal.autoRenewProductID ?? periods[current].truth.productID
        let signedAt = max(boundary.advanced(byMilliseconds: late - early), clock.advanced(byMilliseconds: 1))
        let length =
            product == periods[current].truth.productID
            ? periods[current].length : Self.length(of: product, &random)
        begin(product, at: boundary, signedAt: signedAt, length: length, isRenewal: true)
        say(.renew, status: 1, withInfo: random.chance(5, in: 6))
    }

    mutating func lapse(_ random: inout SeededGenerator) {
        let wasFailing = phase == .failing
        clock = max(end, clock).advanced(byMilliseconds: Int64(random.number(0...3)) * Span.day / 2)
        renewal.autoRenews = false
        renewal.isInBillingRetry = false
        renewal.gracePeriodExpiresAt = nil
        renewal.expirationIntent = wasFailing ? 2 : 1
        phase = .ended
        if random.chance(3, in: 4) { say(.expired, status: 2) }
    }

    mutating func resubscribe(_ random: inout SeededGenerator) {
        clock = clock.advanced(byMilliseconds: Int64(random.number(1...90)) * Span.day / 3)
        if random.chance(1, in: 6) { token = random.pick([nil, History.account, History.otherAccount]) }
        buy(random.pick(Self.products), .resubscribe, &random)
    }

    mutating func upgrade(_ random: inout SeededGenerator) {
        let old = current
        guard periods[old].truth.revokedAt == nil else { return }
        let signedAt = laterInPeriod(&random)
        let candidates = Self.products.filter { $0 != periods[old].truth.productID }
        let product = random.pick(candidates)
        periods[old].truth.isUpgraded = true
        let length = Self.length(of: product, &random)
        begin(product, at: signedAt, signedAt: signedAt, length: length, isRenewal: false)
        say(.upgrade, status: 1)
        // The old transaction is signed again, if at all, when something asks for it.
        if random.chance(1, in: 2) {
            let later = signedAt.advanced(byMilliseconds: Int64(random.number(0...48)) * Span.hour)
            say(nil, period: old, at: later, status: nil, withInfo: false)
        }
    }

    mutating func downgrade(_ random: inout SeededGenerator) {
        clock = laterInPeriod(&random)
        renewal.autoRenewProductID = random.pick(Self.products)
        say(.downgrade, status: 1)
    }

    mutating func setAutoRenew(_ isOn: Bool, _ random: inout SeededGenerator) {
        clock = laterInPeriod(&random)
        renewal.autoRenews = isOn
        say(isOn ? .autoRenewOn : .autoRenewOff, status: phase == .active ? 1 : 3)
    }

    mutating func extend(_ random: inout SeededGenerator) {
        guard periods[current].truth.revokedAt == nil else { return }
        clock = laterInPeriod(&random)
        guard clock < end else { return }
        let later = end.advanced(byMilliseconds: Int64(random.number(1...90)) * Span.day)
        renewal.renewsAt = later
        // Whether the transaction is signed again with the later end is not sure, so both ways are told.
        if random.chance(1, in: 2) { periods[current].truth.expiresAt = later }
        say(.extended, status: 1)
        periods[current].truth.expiresAt = later
    }
}
