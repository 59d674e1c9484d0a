import EntitlementDomain
import TestKit

/// Holds one history against the laws and against the oracle.
struct HistoryChecker {
    /// How many other orders of delivery are tried.
    var orders = 2
    /// How many boundary instants are asked about, each with its neighbours; nil: all.
    var boundaries: Int? = 6
    /// Whether only the laws are asked and not the oracle, for histories that the rules do not speak of.
    var isLawsOnly = false
    var seed: UInt64

    /// The first thing that is wrong; nil: nothing is.
    func disagreement(in history: History) -> Disagreement? {
        var random = SeededGenerator(seed: seed)
        let replay = Replay(history)
        let account = replay.account()
        let instants = instants(of: history, &random)
        return storedBytes(replay)
            ?? (isLawsOnly ? nil : ownership(history, replay) ?? answers(history, account, instants))
            ?? nextChanges(history, account, boundaries == nil ? instants : Array(instants.prefix(6)), &random)
            ?? orders(history, replay, instants, &random)
    }

    func answer(_ account: Account, _ history: History, _ instant: Instant) -> Answer {
        account.answer(at: instant, catalog: History.catalog, policy: history.policy)
    }

    private func storedBytes(_ replay: Replay) -> Disagreement? {
        for (id, line) in replay.lines {
            guard let copy = try? LineState(id: id, encoded: line.encoded), copy == line else {
                return Disagreement(property: "a stored state reads back", detail: "line \(id.originalTransactionID)")
            }
        }
        return nil
    }

    private func ownership(_ history: History, _ replay: Replay) -> Disagreement? {
        for facts in FactSet.sets(of: history) where replay.lines[facts.line]?.owner != facts.owner {
            return Disagreement(
                property: "the owner of line \(facts.line.originalTransactionID)",
                detail: "product \(text(replay.lines[facts.line]?.owner)), rules \(text(facts.owner))"
            )
        }
        return nil
    }

    private func answers(_ history: History, _ account: Account, _ instants: [Instant]) -> Disagreement? {
        let oracle = Oracle(history)
        for instant in instants {
            let answer = answer(account, history, instant)
            let expected = oracle.entries(at: instant)
            for entitlement in History.catalog.entitlements {
                let entry = answer[entitlement: entitlement]?.decisive
                let allowed = expected[entitlement] ?? []
                if entry == nil, allowed.isEmpty { continue }
                if let entry, allowed.contains(where: { $0.agrees(with: entry) }) { continue }
                return Disagreement(
                    property: "the answer for \(entitlement) follows from the rules",
                    instant: instant,
                    detail: "product \(text(entry)), rules \(allowed.map { text($0) }.joined(separator: " or "))"
                )
            }
            let balances = oracle.balances(at: instant)
            if answer.balances != balances {
                return Disagreement(
                    property: "each purchase is credited once and taken back once",
                    instant: instant,
                    detail: "product \(answer.balances), rules \(balances)"
                )
            }
        }
        return nil
    }
}
