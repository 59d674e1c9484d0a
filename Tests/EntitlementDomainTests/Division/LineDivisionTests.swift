import EntitlementDomain
import TestKit
import Testing

/// The division of long lines is a function of the set of facts, found with the head alone or with the whole line; and the
/// head answers as the whole line does.
@Suite struct LineDivisionTests {
    @Test(arguments: [false, true])
    func anyOrderGivesTheSameHeadAndTheSameEarlierTransactions(isWild: Bool) throws {
        let seed = SeededGenerator.seedOfThisRun("LineDivisionTests, isWild \(isWild)")
        var (quick, slow) = (0, 0)
        for round in 0..<80 {
            let own = seed &+ UInt64(round)
            var random = SeededGenerator(seed: own)
            let recent = Int.random(in: 1...4, using: &random)
            let history = LongHistory(periods: Int.random(in: 1...40, using: &random), isWild: isWild, &random)
            var stored = StoredLine(Sample.line, keeping: recent)
            var whole = LineState(id: Sample.line)
            for (number, facts) in history.deliveries(&random).enumerated() {
                let type = whole.eventType(for: facts, catalog: Sample.catalog)
                whole.apply(facts, announces: type.announces(facts.transaction, isNamed: facts.namedType != nil))
                let label = try stored.add(facts, catalog: Sample.catalog)
                let comment: Comment = "ENTITLED_SEED=\(own), statement \(number)"
                try #require(label == type, comment)
                let divided = whole.divided(keeping: recent)
                try #require(stored.head == divided.head, comment)
                try #require(stored.head.encoded == divided.head.encoded, comment)
                try #require(stored.earlier == StoredLine.rows(divided), comment)
                try #require(stored.head.owner == whole.owner, comment)
            }
            try #require(try stored.whole() == whole, "ENTITLED_SEED=\(own): together it is not what was divided")
            let copy = try LineState(id: Sample.line, encoded: stored.head.encoded)
            try #require(copy == stored.head, "ENTITLED_SEED=\(own): the stored bytes lost something")
            quick += stored.quick
            slow += stored.slow
        }
        // Both ways were taken often, or nothing was tested.
        #expect(quick > 300 && slow > 300, "\(quick) without the earlier transactions, \(slow) with them")
    }

    @Test(arguments: [false, true])
    func theHeadAnswersAsTheWholeLineDoes(isWild: Bool) throws {
        let seed = SeededGenerator.seedOfThisRun("theHeadAnswersAsTheWholeLineDoes, isWild \(isWild)")
        var divisions = 0
        for round in 0..<80 {
            let own = seed &+ UInt64(round)
            var random = SeededGenerator(seed: own)
            let history = LongHistory(periods: Int.random(in: 2...40, using: &random), isWild: isWild, &random)
            let told = history.deliveries(&random).prefix(Int.random(in: 5...200, using: &random))
            let whole = Sample.state(Array(told))
            let head = whole.divided(keeping: Int.random(in: 1...4, using: &random)).head
            guard let cut = head.cut else { continue }
            divisions += 1
            #expect(head.transactions.count < whole.transactions.count)
            let accounts = (whole: Account(lines: [whole]), head: Account(lines: [head]))
            for instant in Self.instants(of: whole, from: cut.answersFrom, &random) {
                let (catalog, policy) = (Self.catalog(&random), Self.policy(&random))
                let comment: Comment = "ENTITLED_SEED=\(own) at \(instant.iso8601)"
                try #require(
                    accounts.head.answer(at: instant, catalog: catalog, policy: policy)
                        == accounts.whole.answer(at: instant, catalog: catalog, policy: policy),
                    comment
                )
                try #require(
                    accounts.head.subscriptions(at: instant, catalog: catalog, policy: policy)
                        == accounts.whole.subscriptions(at: instant, catalog: catalog, policy: policy),
                    comment
                )
            }
        }
        #expect(divisions > 30)
    }

    /// Boundaries with their neighbours, and some instants between.
    private static func instants(
        of line: LineState,
        from start: Instant,
        _ random: inout SeededGenerator
    ) -> [Instant] {
        let moments =
            line.transactions.flatMap {
                [$0.newest.purchasedAt, $0.newest.signedAt, $0.newest.expiresAt, $0.revokedAt].compactMap(\.self)
            } + line.renewals.flatMap { [$0.signedAt, $0.gracePeriodExpiresAt, $0.renewsAt].compactMap(\.self) }
        let chosen = moments.filter { $0 >= start }.shuffled(using: &random).prefix(8)
        return [start, .distantFuture]
            + chosen.flatMap { [$0.advanced(byMilliseconds: -1), $0, $0.advanced(byMilliseconds: 1)] }.filter {
                $0 >= start
            }
    }

    /// A catalog of another time: products come, go and grant other things.
    private static func catalog(_ random: inout SeededGenerator) -> Catalog {
        let products = LongHistory.products.filter { _ in LongHistory.chance(4, in: 5, &random) }.map { id in
            Product(
                id: id,
                type: LongHistory.chance(1, in: 9, &random) ? .nonRenewing : .autoRenewable,
                grants: ["pro", "max", "extra"].filter { _ in Bool.random(using: &random) },
                subscriptionGroup: LongHistory.chance(1, in: 4, &random)
                    ? nil : ["plans", "others"].randomElement(using: &random)!,
                level: Int.random(in: 1...3, using: &random),
                refundAccess: [nil, .immediate, .endOfPeriod].randomElement(using: &random)!,
                renewalLeeway: [nil, CalendarDuration(iso8601: "P16D")].randomElement(using: &random)!
            )
        }
        return Catalog(entitlements: ["pro", "max", "extra"], products: products)
    }

    private static func policy(_ random: inout SeededGenerator) -> Policy {
        var policy = Policy()
        if Bool.random(using: &random) { policy.refundAccess = .endOfPeriod }
        if Bool.random(using: &random) { policy.renewalLeeway = CalendarDuration(iso8601: "PT36H")! }
        if Bool.random(using: &random) { policy.graceWithoutDate = CalendarDuration(iso8601: "P40D")! }
        return policy
    }

    // MARK: Examples

    private static func monthly(_ count: Int) -> [StatementFacts] {
        (0..<count).map { number in
            let start = LongHistory.origin.advanced(byMilliseconds: Int64(number) * 30 * LongHistory.day)
            let end = start.advanced(byMilliseconds: 30 * LongHistory.day)
            let facts = TransactionFacts(
                transactionID: "t\(number)",
                originalTransactionID: "1001",
                productID: number == 0 ? "pro.yearly" : "pro.monthly",
                type: .autoRenewable,
                signedAt: start,
                purchasedAt: start,
                expiresAt: end,
                webOrderLineItemID: "w\(number)",
                appAccountToken: Sample.account
            )
            let renewal = RenewalFacts(signedAt: start, autoRenews: true, productID: "pro.monthly", renewsAt: end)
            return StatementFacts(transaction: facts, renewal: renewal)
        }
    }

    @Test func aShortLineIsNotDivided() {
        let line = Sample.state(Self.monthly(LineState.recentPeriods))
        #expect(line.divided() == DividedLine(head: line))
    }

    @Test func theHeadOfALongLineIsShort() {
        let line = Sample.state(Self.monthly(1_000)).divided()
        // The latest periods, the one before them, the first one with its token, and the one that took over from it.
        #expect(line.head.transactions.count == LineState.recentPeriods + 3)
        #expect(line.head.transactions.count + line.earlier.count == 1_000)
        #expect(line.head.encoded.count < 2_000)
        #expect(line.head.cut?.answersFrom == line.head.transactions[3].newest.purchasedAt)
    }

    @Test func aRenewalOfALongLineNeedsOnlyTheHead() throws {
        let facts = Self.monthly(1_000)
        let before = Sample.state(Array(facts.dropLast())).divided().head
        var head = before
        #expect(!head.reachesBehindCut(facts[999]))
        head.apply(facts[999], announces: true)
        let divided = try #require(head.divided(after: before))
        #expect(divided.head == Sample.state(facts).divided().head)
        #expect(divided.earlier.map(\.state.transactionID) == ["t996"])
    }

    @Test func aRefundOfAnEarlierPeriodNeedsTheWholeLine() {
        let facts = Self.monthly(100)
        let head = Sample.state(facts).divided().head
        var refund = facts[50]
        refund.transaction?.signedAt = Sample.date("2026-01-01T00:00:00Z")
        refund.transaction?.revokedAt = Sample.date("2026-01-01T00:00:00Z")
        #expect(head.reachesBehindCut(refund))
        // The head stays as short, and answers from the refund on.
        let refunded = Sample.state(facts + [refund]).divided().head
        #expect(refunded.transactions == head.transactions)
        #expect(refunded.cut?.answersFrom == Sample.date("2026-01-01T00:00:00Z"))
    }

    @Test func aPeriodThatWasSignedBeforeTheCutNeedsTheWholeLine() {
        var facts = Self.monthly(20)
        var missing = facts.remove(at: 17)
        let before = Sample.state(facts).divided().head
        // It was bought after the cut, and yet the statements of earlier periods are now from its time.
        missing.transaction?.signedAt = LongHistory.origin.advanced(byMilliseconds: 100 * LongHistory.day)
        missing.renewal = nil
        #expect(!before.reachesBehindCut(missing))
        var head = before
        head.apply(missing, announces: true)
        #expect(head.divided(after: before) == nil)
    }

    @Test func twinsStayOnOneSide() {
        var facts = Self.monthly(20)
        for number in facts.indices {
            var twin = facts[number]
            twin.transaction?.transactionID += "-again"
            facts.append(twin)
        }
        let line = Sample.state(facts).divided()
        let ids = Set(line.head.transactions.map(\.transactionID))
        #expect(line.head.cut != nil)
        for number in 0..<20 { #expect(ids.contains("t\(number)") == ids.contains("t\(number)-again")) }
    }

    @Test func aLineWithAnotherKindOfPurchaseStaysWhole() {
        var facts = Self.monthly(20)
        facts[3].transaction?.type = nil
        let line = Sample.state(facts)
        #expect(line.divided() == DividedLine(head: line))
    }
}
