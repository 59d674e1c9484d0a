import EntitlementDomain
import Simulator
import TestKit
import Testing

/// A failure is only worth something when it can be read and played again.
@Suite struct HistoryShrinkerTests {
    @Test func aHistoryIsReducedToWhatFails() throws {
        let history = try #require(
            (1...200).lazy.map { HistoryGenerator.history(seed: $0) }.first { history in
                history.statements.count > 8 && history.statements.contains { $0.transaction?.revokedAt != nil }
            }
        )
        let small = HistoryShrinker { candidate in
            candidate.statements.contains { $0.transaction?.revokedAt != nil }
        }.shrunk(history)
        #expect(small.statements.count == 1)
        #expect(small.links.isEmpty)
        #expect(small.policy == Policy())
    }

    @Test func aPrintedHistoryIsAScenarioFile() throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            let history = HistoryGenerator.history(seed: seed)
            let text = ScenarioText(
                history: history,
                name: "a random history",
                about: "printed and read again",
                instants: [HistoryGenerator.origin.advanced(byMilliseconds: 40 * Span.day)]
            ).text
            let file = try #require(try ScenarioFile.parse(Array(text.utf8), fileName: "seed-\(seed).json"))
            #expect(file.deliveries.count == history.statements.count + history.links.count)
        }
    }
}
