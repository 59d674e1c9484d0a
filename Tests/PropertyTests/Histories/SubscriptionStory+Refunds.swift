import EntitlementDomain
import TestKit

/// Refunds, their reversals, and transactions that are signed again.
extension SubscriptionStory {
    mutating func refund(olderOnly: Bool, _ random: inout SeededGenerator) {
        let index = olderOnly ? random.number(0...current) : current
        guard periods[index].truth.revokedAt == nil, !periods[index].truth.isUpgraded else { return }
        let isFamily = line.ownership == .familyShared
        clock =
            olderOnly || clock >= end
            ? clock.advanced(byMilliseconds: Int64(random.number(1...200)) * Span.hour) : laterInPeriod(&random)
        periods[index].truth.revokedAt = clock.advanced(
            byMilliseconds: -Int64(random.pick([0, 0, 1, 30])) * Span.minute
        )
        periods[index].truth.revocationKind =
            isFamily ? random.pick([.family, .full]) : random.pick([.full, .full, .prorated])
        if periods[index].truth.revocationKind == .prorated {
            periods[index].truth.revocationPercentage = random.number(0...100_000)
        }
        let isCurrent = index == current && clock < end
        if isCurrent, random.chance(3, in: 4) {
            renewal.autoRenews = false
            phase = .ended
        }
        let id = random.pick(periods[index].ids)
        say(isFamily ? .revoke : .refund, period: index, id: id, status: status, withInfo: isCurrent)
    }

    /// A later version of a refunded transaction names another revocation date.
    mutating func restateRefund(_ random: inout SeededGenerator) {
        guard let index = revoked(&random), let revokedAt = periods[index].truth.revokedAt else { return }
        clock = clock.advanced(byMilliseconds: Span.hour)
        periods[index].truth.revokedAt = revokedAt.advanced(byMilliseconds: Int64(random.number(-48...48)) * Span.hour)
        say(.refund, period: index, status: status, withInfo: false)
    }

    mutating func reverseRefund(_ random: inout SeededGenerator) {
        guard let index = revoked(&random) else { return }
        clock = clock.advanced(byMilliseconds: Int64(random.number(1...1_500)) * Span.hour)
        periods[index].truth.revokedAt = nil
        periods[index].truth.revocationKind = .full
        periods[index].truth.revocationPercentage = nil
        say(.reversal, period: index, status: status, withInfo: false)
    }

    /// An old transaction is fetched again and carries today's signature.
    mutating func signAgain(_ random: inout SeededGenerator) {
        clock = clock.advanced(byMilliseconds: Int64(random.number(1...120)) * Span.hour)
        let index = random.number(0...current)
        say(nil, period: index, id: random.pick(periods[index].ids), status: nil, withInfo: random.chance(1, in: 4))
    }

    /// A device gives a known period another transaction id.
    mutating func addTwin(_ random: inout SeededGenerator) {
        clock = clock.advanced(byMilliseconds: Int64(random.number(1...48)) * Span.hour)
        let index = random.number(0...current)
        let id = nextID()
        periods[index].ids.append(id)
        say(nil, period: index, id: id, status: nil, withInfo: false)
    }

    private func revoked(_ random: inout SeededGenerator) -> Int? {
        let indices = periods.indices.filter { periods[$0].truth.revokedAt != nil }
        return indices.isEmpty ? nil : random.pick(Array(indices))
    }
}
