import EntitlementDomain
import TestKit

extension HistoryChecker {
    /// Between an instant and the next change that was announced nothing changes.
    func nextChanges(
        _ history: History,
        _ account: Account,
        _ instants: [Instant],
        _ random: inout SeededGenerator
    ) -> Disagreement? {
        for instant in instants {
            let answer = answer(account, history, instant)
            let next = answer.nextChangeAt ?? Instant.distantFuture
            for later in [random.instant(from: instant, to: next), next.advanced(byMilliseconds: -1)] {
                let same = self.answer(account, history, later)
                guard same.entitlements == answer.entitlements, same.balances == answer.balances else {
                    return Disagreement(
                        property: "nothing changes before the announced change",
                        instant: later,
                        detail: "it has changed since \(instant.iso8601), announced was \(next.iso8601)"
                    )
                }
            }
        }
        return nil
    }

    /// Any order and any repetition of the same statements ends in the same bytes and the same answers.
    func orders(
        _ history: History,
        _ replay: Replay,
        _ instants: [Instant],
        _ random: inout SeededGenerator
    ) -> Disagreement? {
        let reference = replay.bytes
        let account = replay.account()
        for _ in 0..<orders {
            var order = Array(history.statements.indices)
            order += order.filter { _ in random.chance(1, in: 3) }
            order.shuffle(using: &random)
            let other = Replay(history, order: order)
            if other.bytes != reference {
                return Disagreement(
                    property: "any order and any repetition ends in the same bytes",
                    detail: "the order \(order) ends in others"
                )
            }
            let otherAccount = other.account()
            for instant in instants.prefix(3) {
                guard answer(otherAccount, history, instant) == answer(account, history, instant) else {
                    return Disagreement(
                        property: "any order and any repetition ends in the same answers",
                        instant: instant,
                        detail: "the order \(order) ends in others"
                    )
                }
            }
        }
        return nil
    }
}
