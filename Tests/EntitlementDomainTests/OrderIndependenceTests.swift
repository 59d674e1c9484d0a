import EntitlementDomain
import TestKit
import Testing

/// Law 4: the fold is a function of the set of facts.
@Suite struct OrderIndependenceTests {
    @Test func anyOrderAndAnyRepetitionGiveTheSameBytes() throws {
        let seed = SeededGenerator.seedOfThisRun("OrderIndependenceTests")
        for round in 0..<2_000 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            let facts = Self.history(&random)
            let reference = Sample.state(facts).encoded
            for _ in 0..<4 {
                var delivered = facts + facts.filter { _ in Bool.random(using: &random) }
                delivered.shuffle(using: &random)
                let state = Sample.state(delivered)
                try #require(state.encoded == reference, "seed \(seed &+ UInt64(round)): another order, another state")
                let copy = try LineState(id: Sample.line, encoded: state.encoded)
                try #require(copy == state, "seed \(seed &+ UInt64(round)): the stored bytes lost something")
            }
        }
    }

    @Test func theNextChangeIsNeverMissed() throws {
        // Law 6: between an instant and its announced next change the answer stays the same.
        let seed = SeededGenerator.seedOfThisRun("theNextChangeIsNeverMissed")
        for round in 0..<500 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            var account = Account(lines: [Sample.state(Self.history(&random))])
            account.lines[0].apply(OwnerLink(account: Sample.account, position: 1))
            var instant = Sample.date("2025-12-01T00:00:00Z")
            for _ in 0..<40 {
                let answer = account.answer(at: instant, catalog: Sample.catalog, policy: Policy())
                guard let next = answer.nextChangeAt else { break }
                let span = next.milliseconds - instant.milliseconds
                let between = instant.advanced(byMilliseconds: Int64.random(in: 0..<span, using: &random))
                let same = account.answer(at: between, catalog: Sample.catalog, policy: Policy())
                try #require(
                    same.entitlements == answer.entitlements && same.balances == answer.balances,
                    "seed \(seed &+ UInt64(round)): changed between \(instant.iso8601) and \(next.iso8601)"
                )
                instant = next
            }
        }
    }

    /// A random set of statements about one line, also ones the App Store would hardly send.
    static func history(_ random: inout SeededGenerator) -> [StatementFacts] {
        var facts: [StatementFacts] = []
        let origin = Sample.date("2026-01-01T00:00:00Z")
        let day: Int64 = 86_400_000
        func moment(_ random: inout SeededGenerator) -> Instant {
            origin.advanced(byMilliseconds: Int64.random(in: 0..<400, using: &random) * day / 2)
        }
        for _ in 0..<Int.random(in: 1...10, using: &random) {
            let number = Int.random(in: 0..<6, using: &random)
            let product = ["pro.monthly", "pro.yearly", "max.monthly"].randomElement(using: &random)!
            let start = origin.advanced(byMilliseconds: Int64(number) * 30 * day)
            let version = TransactionFacts(
                transactionID: String(1001 + number + (Int.random(in: 0..<5, using: &random) == 0 ? 100 : 0)),
                originalTransactionID: "1001",
                productID: product,
                type: .autoRenewable,
                signedAt: moment(&random),
                purchasedAt: start,
                expiresAt: start.advanced(byMilliseconds: 30 * day),
                webOrderLineItemID: Bool.random(using: &random) ? "w\(number)" : nil,
                revokedAt: Int.random(in: 0..<3, using: &random) == 0 ? moment(&random) : nil,
                isUpgraded: Int.random(in: 0..<6, using: &random) == 0,
                offer: Int.random(in: 0..<4, using: &random) == 0 ? Offer(type: 1) : nil,
                appAccountToken: [nil, Sample.account, Sample.otherAccount].randomElement(using: &random)!
            )
            let renewal = RenewalFacts(
                signedAt: moment(&random),
                autoRenews: Bool.random(using: &random),
                productID: product,
                autoRenewProductID: product,
                isInBillingRetry: Int.random(in: 0..<3, using: &random) == 0,
                gracePeriodExpiresAt: Int.random(in: 0..<4, using: &random) == 0 ? moment(&random) : nil,
                status: Int.random(in: 1...5, using: &random)
            )
            facts.append(
                StatementFacts(
                    transaction: Int.random(in: 0..<8, using: &random) == 0 ? nil : version,
                    renewal: Bool.random(using: &random) ? renewal : nil
                )
            )
        }
        return facts
    }
}
