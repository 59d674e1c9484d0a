import EntitlementDomain
import TestKit

extension SubscriptionStory {
    /// A version of a period as the App Store would sign it at an instant.
    func version(_ index: Int, id: String? = nil, at instant: Instant) -> TransactionFacts {
        var facts = periods[index].truth
        facts.transactionID = id ?? periods[index].ids[0]
        facts.signedAt = instant
        return facts
    }

    /// The renewal info as the App Store would sign it at an instant.
    func info(at instant: Instant) -> RenewalFacts {
        var facts = renewal
        facts.signedAt = instant
        return facts
    }

    mutating func say(
        _ name: SignedStatement.Name?,
        period index: Int? = nil,
        id: String? = nil,
        at instant: Instant? = nil,
        status: Int?,
        withInfo: Bool = true
    ) {
        let signedAt = instant ?? clock
        var renewal: RenewalFacts?
        if withInfo {
            renewal = info(at: signedAt)
            renewal?.status = name == nil ? nil : status
            renewal?.saysGracePeriod =
                name != nil && status == 4 || self.renewal.isInBillingRetry && self.renewal.gracePeriodExpiresAt != nil
        } else if name != nil, let status {
            renewal = RenewalFacts(signedAt: signedAt, status: status, saysGracePeriod: status == 4)
        }
        statements.append(
            SignedStatement(
                line: line,
                name: name,
                transaction: version(index ?? current, id: id, at: signedAt),
                renewal: renewal
            )
        )
    }

    /// A new period begins; the renewal info starts afresh.
    mutating func begin(_ product: String, at purchasedAt: Instant, signedAt: Instant, length: Int64, isRenewal: Bool) {
        let id = nextID()
        periods.append(
            Period(
                truth: TransactionFacts(
                    transactionID: id,
                    originalTransactionID: line.originalTransactionID,
                    productID: product,
                    type: .autoRenewable,
                    ownership: line.ownership,
                    signedAt: signedAt,
                    purchasedAt: purchasedAt,
                    expiresAt: purchasedAt.advanced(byMilliseconds: length),
                    webOrderLineItemID: hasLineItems ? "w\(line.originalTransactionID)-\(periods.count)" : nil,
                    isRenewal: isRenewal,
                    appAccountToken: token,
                    subscriptionGroupID: "plans"
                ),
                ids: [id],
                length: length
            )
        )
        renewal = RenewalFacts(
            signedAt: signedAt,
            autoRenews: true,
            productID: product,
            autoRenewProductID: product,
            renewsAt: purchasedAt.advanced(byMilliseconds: length)
        )
        phase = .active
        clock = max(clock, signedAt)
    }

    static func length(of product: String, _ random: inout SeededGenerator) -> Int64 {
        switch product {
        case "pro.yearly": 365 * Span.day
        case "pro.quarter": 91 * Span.day
        default: Int64(random.pick([28, 30, 31])) * Span.day
        }
    }

    /// An instant of the running period that has not passed yet.
    func laterInPeriod(_ random: inout SeededGenerator) -> Instant {
        random.instant(from: clock.advanced(byMilliseconds: 1), to: max(end, clock.advanced(byMilliseconds: Span.hour)))
    }
}
