import EntitlementDomain
import EntitlementService
import TestKit
import Testing

struct CallBudgetTests {
    private let start = Instant(milliseconds: 1_775_001_600_000)

    private func after(_ milliseconds: Int64) -> Instant { start.advanced(byMilliseconds: milliseconds) }

    @Test func aSecondsCallsMayComeAtOnceAndThenTheirRateHolds() {
        var budget = CallBudget(callsPerSecond: 4, now: start)
        for _ in 0..<4 { #expect(budget.take(at: start) == nil) }
        #expect(budget.take(at: start) == 250)
        #expect(budget.take(at: after(249)) == 1)
        #expect(budget.take(at: after(250)) == nil)
        #expect(budget.take(at: after(250)) == 250)
        #expect(budget.take(at: after(500)) == nil)
    }

    @Test func aLongSilenceSavesNoMoreThanASecond() {
        var budget = CallBudget(callsPerSecond: 2, now: start)
        let later = after(86_400_000)
        #expect(budget.take(at: later) == nil)
        #expect(budget.take(at: later) == nil)
        #expect(budget.take(at: later) == 500)
    }

    @Test func aClockThatIsSetBackGivesNothingAndTakesNothing() {
        var budget = CallBudget(callsPerSecond: 1, now: start)
        #expect(budget.take(at: start) == nil)
        #expect(budget.take(at: after(-3_600_000)) == 1_000)
        #expect(budget.take(at: after(-3_600_000 + 999)) == 1)
        #expect(budget.take(at: after(-3_600_000 + 1_000)) == nil)
    }

    @Test(arguments: [1, 3, 7, 1_000, 1_000_000])
    func whoWaitsAsToldIsLetIn(rate: Int) {
        var budget = CallBudget(callsPerSecond: rate, now: start)
        for _ in 0..<rate { #expect(budget.take(at: start) == nil) }
        guard let wait = budget.take(at: start) else {
            Issue.record("the rate was not used up")
            return
        }
        if wait > 1 { #expect(budget.take(at: after(wait - 1)) != nil) }
        #expect(budget.take(at: after(wait)) == nil)
    }

    /// Over any span no more calls than the rate gives, and the calls of one second on top.
    @Test func theRateHoldsOverAnySpan() {
        var random = SeededGenerator(seed: SeededGenerator.seedOfThisRun("theRateHoldsOverAnySpan"))
        for _ in 0..<50 {
            let rate = Int.random(in: 1...50, using: &random)
            var budget = CallBudget(callsPerSecond: rate, now: start)
            var now: Int64 = 0
            var taken = 0
            for _ in 0..<2_000 {
                if budget.take(at: after(now)) == nil { taken += 1 }
                now += Int64.random(in: 0...(2_000 / Int64(rate)), using: &random)
            }
            #expect(Int64(taken) * 1_000 <= Int64(rate) * (now + 1_000), "seed \(random.seed)")
            #expect(taken >= rate, "seed \(random.seed)")
        }
    }
}
