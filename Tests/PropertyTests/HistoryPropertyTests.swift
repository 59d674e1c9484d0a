import EntitlementDomain
import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#endif

/// The laws and the rules over random histories: any order and repetition ends in the same state, the answers are the
/// oracle's, consumables are credited once, nothing changes before the announced change, states survive being stored.
///
/// The normal run takes a few seconds. With `ENTITLED_LONG` set it takes 100,000 histories, or as many as the variable
/// says. A history that fails is made small and printed as a scenario file for `entitled scenario run`.
@Suite struct HistoryPropertyTests {
    /// How many histories are told.
    static var count: Int {
        guard let text = unsafe getenv("ENTITLED_LONG") else { return 2_000 }
        return max(unsafe Int(String(cString: text)) ?? 0, 100_000)
    }

    @Test func randomHistoriesKeepTheLawsAndTheRules() async {
        await Self.check("HistoryPropertyTests", count: Self.count, isWild: false)
    }

    @Test func historiesThatTheAppStoreWouldNotTellKeepTheLaws() async {
        await Self.check("historiesThatTheAppStoreWouldNotTellKeepTheLaws", count: Self.count / 4, isWild: true)
    }

    private static func history(_ seed: UInt64, isWild: Bool) -> History {
        isWild ? HistoryGenerator.wildHistory(seed: seed) : HistoryGenerator.history(seed: seed)
    }

    private static func check(_ name: String, count: Int, isWild: Bool) async {
        let seed = SeededGenerator.seedOfThisRun(name)
        let workers: UInt64 = 2
        let failed = await withTaskGroup(of: UInt64?.self) { group in
            for worker in 0..<workers {
                group.addTask {
                    (0..<UInt64(count)).lazy.filter { $0 % workers == worker }.map { seed &+ $0 }.first { own in
                        let checker = HistoryChecker(isLawsOnly: isWild, seed: own)
                        return checker.disagreement(in: history(own, isWild: isWild)) != nil
                    }
                }
            }
            return await group.compactMap(\.self).reduce(nil as UInt64?) { min($0 ?? $1, $1) }
        }
        if let failed { report(failed, isWild: isWild) }
    }

    /// Makes the history of a seed as small as it can be while the same property fails, and prints it.
    private static func report(_ seed: UInt64, isWild: Bool) {
        let history = history(seed, isWild: isWild)
        var checker = HistoryChecker(isLawsOnly: isWild, seed: seed)
        guard let found = checker.disagreement(in: history) else { return }
        // A smaller history draws other instants and orders, so more of them are needed to meet the fault again.
        checker.boundaries = nil
        checker.orders = 20
        let small = HistoryShrinker { checker.disagreement(in: $0)?.property == found.property }.shrunk(history)
        let last = checker.disagreement(in: small) ?? found
        let scenario = ScenarioText(
            history: small,
            name: "the history of seed \(seed)",
            about: last.description,
            instants: last.instant.map { [$0] } ?? []
        )
        print(scenario.text)
        Issue.record("ENTITLED_SEED=\(seed): \(last)")
    }
}
