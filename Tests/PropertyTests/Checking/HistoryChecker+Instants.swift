import EntitlementDomain
import TestKit

extension HistoryChecker {
    /// All instants at which something begins, ends or is said, or some of them, each with its neighbours; and some at
    /// random.
    func instants(of history: History, _ random: inout SeededGenerator) -> [Instant] {
        var all: Set<Instant> = []
        for statement in history.statements {
            let transaction = statement.transaction
            let renewal = statement.renewal
            let dates = [
                transaction?.purchasedAt, transaction?.signedAt, transaction?.expiresAt, transaction?.revokedAt,
                renewal?.signedAt, renewal?.gracePeriodExpiresAt, renewal?.renewsAt,
            ]
            all.formUnion(dates.compactMap(\.self))
            if let end = transaction?.expiresAt {
                all.insert(end.adding(history.policy.renewalLeeway))
                all.insert(end.adding(history.policy.graceWithoutDate))
            }
            if let product = transaction?.productID, let duration = History.catalog[product]?.duration {
                for count in 1...3 {
                    all.insert(
                        (transaction?.purchasedAt ?? .distantPast).adding(
                            CalendarDuration(milliseconds: duration.milliseconds * Int64(count))
                        )
                    )
                }
            }
        }
        var asked = all.sorted()
        if let boundaries {
            asked.shuffle(using: &random)
            asked = Array(asked.prefix(boundaries))
        }
        let first = all.min() ?? HistoryGenerator.origin
        let last = (all.max() ?? first).advanced(byMilliseconds: 30 * Span.day)
        return asked.flatMap { [$0.advanced(byMilliseconds: -1), $0, $0.advanced(byMilliseconds: 1)] }
            + (0..<3).map { _ in random.instant(from: first, to: last) }
    }
}
