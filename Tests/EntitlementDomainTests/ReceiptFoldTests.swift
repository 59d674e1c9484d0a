import EntitlementDomain
import TestKit
import Testing

/// What app receipts tell beside signed transactions of the same purchases.
@Suite struct ReceiptFoldTests {
    /// What a receipt tells of a period: fewer fields, and dates in whole seconds.
    private static func told(
        _ id: String,
        _ product: String = "pro.monthly",
        from start: String = "2026-03-01T00:00:00Z",
        to end: String? = "2026-04-01T00:00:00Z",
        created: String,
        revoked: String? = nil,
        group: String? = nil
    ) -> TransactionFacts {
        TransactionFacts(
            transactionID: id,
            originalTransactionID: "1001",
            productID: product,
            signedAt: Sample.date(created),
            purchasedAt: Sample.date(start),
            expiresAt: end.map(Sample.date),
            webOrderLineItemID: end == nil ? nil : "w" + id,
            revokedAt: revoked.map(Sample.date),
            subscriptionGroupID: group,
            isFromReceipt: true
        )
    }

    private static func signed(
        _ id: String,
        at date: String = "2026-03-01T00:00:00Z",
        revoked: String? = nil
    ) -> TransactionFacts {
        var facts = Sample.period(
            id,
            from: "2026-03-01T00:00:00Z",
            to: "2026-04-01T00:00:00Z",
            signed: date,
            revoked: revoked,
            lineItem: "w" + id
        )
        facts.subscriptionGroupID = "20001"
        facts.quantity = 1
        return facts
    }

    private func state(_ transactions: TransactionFacts...) -> LineState {
        Sample.state(transactions.map { StatementFacts(transaction: $0) })
    }

    @Test func aReceiptErasesNothingThatASignedTransactionSaid() {
        let state = state(Self.signed("1001"), Self.told("1001", created: "2026-03-20T00:00:00Z"))
        #expect(state.transactions.count == 1)
        let newest = state.transactions[0].newest
        #expect(newest == Self.signed("1001"))
        #expect(state.owner == Sample.account)
    }

    @Test func aReceiptAloneGivesAccess() {
        let state = state(Self.told("1001", created: "2026-03-20T00:00:00Z"))
        let answer = Sample.answer(state, at: "2026-03-25T00:00:00Z")
        #expect(answer.entitlements.map(\.id) == ["pro"])
        #expect(answer.entitlements[0].decisive.state == .active)
    }

    @Test func aRefundInAReceiptCountsUntilANewerSignedTransactionComesWithoutOne() {
        let refund = Self.told("1001", created: "2026-03-20T00:00:00Z", revoked: "2026-03-10T00:00:00Z")
        let date = Sample.date("2026-03-10T00:00:00Z")
        #expect(state(Self.signed("1001"), refund).transactions[0].revokedAt == date)
        // An older text in somebody's cache lifts nothing; a newer one does.
        #expect(state(refund, Self.signed("1001", at: "2026-03-19T00:00:00Z")).transactions[0].revokedAt == date)
        #expect(state(refund, Self.signed("1001", at: "2026-03-21T00:00:00Z")).transactions[0].revokedAt == nil)
        // So does a newer receipt, of what receipts told.
        #expect(state(refund, Self.told("1001", created: "2026-03-21T00:00:00Z")).transactions[0].revokedAt == nil)
    }

    @Test func aReceiptThatTellsOfNoRefundLiftsNoneThatWasSigned() {
        let refund = Self.signed("1001", at: "2026-03-11T00:00:00Z", revoked: "2026-03-10T00:00:00Z")
        let state = state(refund, Self.told("1001", created: "2026-03-20T00:00:00Z"))
        #expect(state.transactions[0].revokedAt == Sample.date("2026-03-10T00:00:00Z"))
        #expect(Sample.answer(state, at: "2026-03-25T00:00:00Z").entitlements[0].decisive.state == .revoked)
    }

    @Test func aLifetimePurchaseStaysRefundedWhateverAnOlderKindOfReceiptSays() {
        var refund = Self.signed("1001", at: "2026-03-11T00:00:00Z", revoked: "2026-03-10T00:00:00Z")
        (refund.productID, refund.type, refund.expiresAt) = ("pro.lifetime", .nonConsumable, nil)
        // Restored on another device, under another id.
        var restored = Self.told("1002", "pro.lifetime", to: nil, created: "2026-03-20T00:00:00Z")
        restored.webOrderLineItemID = nil
        let answer = Sample.answer(state(refund, restored), at: "2026-03-25T00:00:00Z")
        #expect(answer.entitlements[0].decisive.state == .revoked)
        refund.isFromReceipt = true
        let lifted = Sample.answer(state(refund, restored), at: "2026-03-25T00:00:00Z")
        #expect(lifted.entitlements[0].decisive.state == .active)
    }

    @Test func anAnswerOfTheAppStoreKnowsMoreThanTheDevicesReceipt() {
        let state = state(
            Self.told("1001", created: "2026-03-20T00:00:00Z", group: "20001"),
            Self.told("1001", created: "2026-03-21T00:00:00Z")
        )
        #expect(state.transactions[0].newest.subscriptionGroupID == "20001")
    }

    @Test func aRestoredPeriodIsOnePurchaseInBothViews() {
        var twin = Self.told("2002", created: "2026-03-20T00:00:00Z")
        twin.webOrderLineItemID = "w1001"
        #expect(state(Self.signed("1001"), twin).purchases.map(\.transactionIDs) == [["1001", "2002"]])
    }

    @Test func whatAFamilyMembersShareSaysCountsOverTheReceipt() {
        var shared = LineID(environment: .production, bundleID: "com.example.app", originalTransactionID: "1001")
        shared.ownership = .familyShared
        var line = LineState(id: shared)
        var version = Self.signed("1001", at: "2026-03-11T00:00:00Z", revoked: "2026-03-10T00:00:00Z")
        version.ownership = .familyShared
        line.apply(StatementFacts(transaction: version), announces: true)
        let receipt = state(Self.told("1001", created: "2026-03-05T00:00:00Z"))
        let answer = Sample.answer(receipt, line, at: "2026-03-25T00:00:00Z")
        #expect(answer.entitlements[0].decisive.state == .revoked)
    }

    @Test func labelsTellWhatIsNew() {
        var line = LineState(id: Sample.line)
        func label(_ facts: TransactionFacts) -> EventType {
            let facts = StatementFacts(transaction: facts)
            let type = line.eventType(for: facts, catalog: Sample.catalog)
            line.apply(facts, announces: type.announces(facts.transaction, isNamed: false))
            return type
        }
        let april = ("2026-04-01T00:00:00Z", "2026-05-01T00:00:00Z")
        #expect(label(Self.told("1001", created: "2026-03-02T00:00:00Z")) == .purchased)
        #expect(label(Self.signed("1001")) == .confirmed)
        #expect(label(Self.told("1002", from: april.0, to: april.1, created: "2026-04-02T00:00:00Z")) == .renewed)
        #expect(label(Self.told("1002", from: april.0, to: april.1, created: "2026-04-03T00:00:00Z")) == .confirmed)
        let refund = Self.told(
            "1002",
            from: april.0,
            to: april.1,
            created: "2026-04-10T00:00:00Z",
            revoked: "2026-04-09T00:00:00Z"
        )
        #expect(label(refund) == .refunded)
        #expect(label(refund) == .confirmed)
        // Older than the refund: it was told already.
        #expect(label(Self.told("1002", from: april.0, to: april.1, created: "2026-04-08T00:00:00Z")) == .confirmed)
        #expect(
            label(Self.told("1002", from: april.0, to: april.1, created: "2026-04-11T00:00:00Z")) == .refundReversed
        )
        let later = Self.told(
            "1003",
            from: "2026-06-10T00:00:00Z",
            to: "2026-07-10T00:00:00Z",
            created: "2026-06-11T00:00:00Z"
        )
        #expect(label(later) == .resubscribed)
    }

    /// Law 4 over both kinds of statements: transactions, receipts that know more and less, refunds and their reversals,
    /// upgrades, twins.
    @Test func anyOrderOfReceiptsAndSignedTransactionsGivesTheSameBytes() throws {
        let seed = SeededGenerator.seedOfThisRun("anyOrderOfReceiptsAndSignedTransactionsGivesTheSameBytes")
        for round in 0..<2_000 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            let versions = (0..<Int.random(in: 2...9, using: &random)).map { _ in Self.version(&random) }
            let facts = versions.map { StatementFacts(transaction: $0) }
            let reference = Sample.state(facts)
            for _ in 0..<6 {
                var delivered = facts + facts.filter { _ in Bool.random(using: &random) }
                delivered.shuffle(using: &random)
                let state = Sample.state(delivered)
                try #require(state.encoded == reference.encoded, "seed \(random.seed): another order, another state")
                try #require(state.purchases == reference.purchases, "seed \(random.seed)")
                let copy = try LineState(id: Sample.line, encoded: state.encoded)
                try #require(copy == state, "seed \(random.seed): the stored bytes lost something")
            }
            for state in reference.transactions {
                let own = versions.filter { $0.transactionID == state.transactionID && !$0.isFromReceipt }
                let latest = own.map(\.signedAt).max()
                try #require(
                    own.isEmpty || (!state.newest.isFromReceipt && state.newest.signedAt == latest),
                    "seed \(random.seed): a receipt stood in for a signed transaction"
                )
            }
        }
    }

    private static func version(_ random: inout SeededGenerator) -> TransactionFacts {
        let id = Int.random(in: 1...3, using: &random)
        let isLifetime = Int.random(in: 0..<5, using: &random) == 0
        let day = Int64.random(in: 0...12, using: &random) * 86_400_000
        let start = Sample.date("2026-03-01T00:00:00Z").advanced(byMilliseconds: Int64(id) * 864_000_000)
        var facts = TransactionFacts(
            transactionID: String(1_000 + id),
            originalTransactionID: "1001",
            productID: isLifetime ? "pro.lifetime" : ["pro.monthly", "max.monthly"].randomElement(using: &random)!,
            signedAt: start.advanced(byMilliseconds: day),
            purchasedAt: start,
            expiresAt: isLifetime ? nil : start.advanced(byMilliseconds: 30 * 86_400_000),
            isFromReceipt: Bool.random(using: &random)
        )
        if Bool.random(using: &random) { facts.webOrderLineItemID = "w\(Int.random(in: 1...3, using: &random))" }
        if Int.random(in: 0..<3, using: &random) == 0 {
            facts.revokedAt = start.advanced(byMilliseconds: Int64.random(in: 0...5, using: &random) * 86_400_000)
        } else if Int.random(in: 0..<4, using: &random) == 0 {
            facts.isUpgraded = true
        }
        if Bool.random(using: &random) { facts.subscriptionGroupID = "20001" }
        if !facts.isFromReceipt {
            facts.type = isLifetime ? .nonConsumable : .autoRenewable
            facts.isRenewal = Bool.random(using: &random)
            facts.appAccountToken = Bool.random(using: &random) ? Sample.account : nil
        }
        return facts
    }
}
