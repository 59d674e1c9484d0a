import EntitlementDomain
import TestKit
import Testing

@Suite struct SubscriptionStatusTests {
    private func groups(_ lines: LineState..., at instant: String, policy: Policy = Policy()) -> [SubscriptionGroup] {
        Account(lines: lines).subscriptions(at: Sample.date(instant), catalog: Sample.catalog, policy: policy).groups
    }

    private func line(
        _ id: String,
        _ facts: TransactionFacts...,
        ownership: Ownership = .purchased,
        bundleID: String = "com.example.app"
    ) -> LineState {
        var state = LineState(
            id: LineID(
                environment: .production,
                bundleID: bundleID,
                originalTransactionID: id,
                ownership: ownership
            )
        )
        for fact in facts {
            var fact = fact
            fact.originalTransactionID = id
            fact.ownership = ownership
            state.apply(StatementFacts(transaction: fact), announces: true)
        }
        return state
    }

    private func month(_ id: String, _ product: String = "pro.monthly", group: String? = nil) -> TransactionFacts {
        var facts = Sample.period(id, product, from: "2026-03-01T00:00:00Z", to: "2026-04-01T00:00:00Z")
        facts.subscriptionGroupID = group
        return facts
    }

    @Test func nothingIsToldBeforeTheFirstPeriod() {
        let state = Sample.state(month("1001"))
        #expect(groups(state, at: "2026-02-28T23:59:59.999Z").isEmpty)
        #expect(groups(state, at: "2026-03-01T00:00:00Z").map(\.state) == [.subscribed])
        #expect(groups(state, at: "2026-04-01T00:00:00Z").map(\.state) == [.expired])
    }

    @Test func graceComesBeforeBillingRetry() {
        let failed = RenewalFacts(
            signedAt: Sample.date("2026-04-01T00:05:00Z"),
            autoRenews: true,
            isInBillingRetry: true,
            gracePeriodExpiresAt: Sample.date("2026-04-04T00:00:00Z"),
            status: 4
        )
        let state = Sample.state(month("1001"), renewals: failed)
        let inGrace = groups(state, at: "2026-04-02T00:00:00Z")[0]
        #expect(inGrace.state == .inGracePeriod)
        #expect(inGrace.statuses[0].renewal == failed)
        #expect(inGrace.statuses[0].expiresAt == Sample.date("2026-04-01T00:00:00Z"))
        #expect(inGrace.statuses[0].accessEndsAt == Sample.date("2026-04-04T00:00:00Z"))
        #expect(groups(state, at: "2026-04-04T00:00:00Z")[0].state == .inBillingRetryPeriod)
    }

    @Test func aRefundRevokesWhileTheOlderWordStands() {
        let refund = Sample.period(
            "1001",
            from: "2026-03-01T00:00:00Z",
            to: "2026-04-01T00:00:00Z",
            signed: "2026-03-10T00:00:00Z",
            revoked: "2026-03-10T00:00:00Z"
        )
        let state = Sample.state(month("1001"), refund)
        #expect(groups(state, at: "2026-03-09T00:00:00Z")[0].state == .subscribed)
        let revoked = groups(state, at: "2026-03-10T00:00:00Z")[0]
        #expect(revoked.state == .revoked)
        #expect(revoked.statuses[0].revokedAt == Sample.date("2026-03-10T00:00:00Z"))
    }

    @Test func aRenewalChargedEarlyAndRefundedLeavesThePeriodBeforeIt() {
        let early = Sample.period(
            "1002",
            from: "2026-04-01T00:00:00Z",
            to: "2026-05-01T00:00:00Z",
            signed: "2026-03-31T00:00:00Z",
            revoked: "2026-03-31T00:00:00Z"
        )
        let state = Sample.state(month("1001"), early)
        let before = groups(state, at: "2026-03-31T12:00:00Z")[0]
        #expect(before.state == .subscribed)
        #expect(before.statuses[0].transaction.transactionID == "1001")
        let after = groups(state, at: "2026-04-01T00:00:00Z")[0]
        #expect(after.state == .revoked)
        #expect(after.statuses[0].transaction.transactionID == "1002")
    }

    @Test func anEntitlingLineComesFirst() {
        var expired = month("1001", "max.monthly", group: "20001")
        expired.expiresAt = Sample.date("2026-03-05T00:00:00Z")
        let own = line("1001", expired)
        let family = line("9001", month("9001", group: "20001"), ownership: .familyShared)
        let group = groups(own, family, at: "2026-03-20T00:00:00Z")[0]
        #expect(group.state == .subscribed)
        #expect(group.statuses.map(\.line.originalTransactionID) == ["9001", "1001"])
        #expect(group.statuses.map(\.state) == [.subscribed, .expired])
    }

    @Test func ofTwoEntitlingLinesTheHigherLevelCounts() {
        let pro = line("1001", month("1001", group: "20001"))
        let max = line("9001", month("9001", "max.monthly", group: "20001"), ownership: .familyShared)
        #expect(
            groups(pro, max, at: "2026-03-20T00:00:00Z")[0].statuses.map(\.transaction.productID)
                == ["max.monthly", "pro.monthly"]
        )
    }

    @Test func groupsAreThoseOfTheAppStoreElseOfTheCatalog() {
        let signed = line("1001", month("1001", group: "20001"))
        let silent = line("1002", month("1002"))
        let unmapped = line("1003", month("1003", "later.monthly", group: "20002"))
        let foreign = line("1004", month("1004", group: "20001"), bundleID: "com.example.other")
        let answer = groups(signed, silent, unmapped, foreign, at: "2026-03-20T00:00:00Z")
        #expect(answer.map(\.id) == ["20001", "20002", "20001"])
        #expect(answer.map(\.catalogGroup) == ["plans", nil, "plans"])
        #expect(
            answer.map { $0.statuses.map(\.line.originalTransactionID) } == [["1001", "1002"], ["1003"], ["1004"]]
        )
        #expect(groups(silent, at: "2026-03-20T00:00:00Z").map(\.id) == ["plans"])
    }

    @Test func linesWhoseGroupNobodyNamesStandAlone() {
        let first = line("1001", month("1001", "later.monthly"))
        let second = line("1002", month("1002", "later.monthly"))
        let answer = groups(first, second, at: "2026-03-20T00:00:00Z")
        #expect(answer.map(\.id) == [nil, nil])
        #expect(answer.map(\.statuses.count) == [1, 1])
    }

    @Test func anIntroductoryOfferOfAnyVersionIsUsed() {
        var introduced = month("1001")
        introduced.offer = Offer(type: 1, discountType: "FREE_TRIAL")
        var signedAgain = month("1001")
        signedAgain.signedAt = Sample.date("2026-03-02T00:00:00Z")
        let renewed = Sample.period("1002", from: "2026-04-01T00:00:00Z", to: "2026-05-01T00:00:00Z")
        for state in [
            Sample.state(introduced, signedAgain, renewed), Sample.state(renewed, signedAgain, introduced),
        ] {
            #expect(groups(state, at: "2026-04-20T00:00:00Z")[0].isIntroductoryOfferUsed)
            #expect(state[transactionID: "1001"]?.newest.offer == nil)
        }
        #expect(!groups(Sample.state(signedAgain, renewed), at: "2026-04-20T00:00:00Z")[0].isIntroductoryOfferUsed)
    }

    @Test func anIntroductoryOfferOfALaterPeriodIsNotUsedYet() {
        var introduced = Sample.period("1002", from: "2026-04-01T00:00:00Z", to: "2026-05-01T00:00:00Z")
        introduced.offer = Offer(type: 1)
        let state = Sample.state(month("1001"), introduced)
        #expect(!groups(state, at: "2026-03-31T23:59:59.999Z")[0].isIntroductoryOfferUsed)
        #expect(groups(state, at: "2026-04-01T00:00:00Z")[0].isIntroductoryOfferUsed)
    }

    @Test func otherKindsOfPurchasesAreNoSubscriptions() {
        var lifetime = month("1001", "pro.lifetime")
        lifetime.type = .nonConsumable
        lifetime.expiresAt = nil
        #expect(groups(line("1001", lifetime), at: "2026-03-20T00:00:00Z").isEmpty)
    }

    @Test func anErasedAccountHasNoSubscriptions() {
        var state = AccountState()
        state.apply(.accountErased, CommandFacts(), at: Sample.date("2026-03-02T00:00:00Z"), position: 2)
        let account = Account(lines: [Sample.state(month("1001"))], state: state)
        let answer = account.subscriptions(
            at: Sample.date("2026-03-20T00:00:00Z"),
            catalog: Sample.catalog,
            policy: Policy()
        )
        #expect(answer.groups.isEmpty && answer.nextChangeAt == nil)
    }

    @Test func theNextChangeIsNeverMissed() throws {
        let seed = SeededGenerator.seedOfThisRun("SubscriptionStatusTests")
        var policy = Policy()
        policy.renewalLeeway = CalendarDuration(iso8601: "P1D")!
        for round in 0..<200 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            let account = Account(lines: [Sample.state(OrderIndependenceTests.history(&random))])
            var instant = Sample.date("2025-12-01T00:00:00Z")
            for _ in 0..<40 {
                let answer = account.subscriptions(at: instant, catalog: Sample.catalog, policy: policy)
                guard let next = answer.nextChangeAt else { break }
                let span = next.milliseconds - instant.milliseconds
                let between = instant.advanced(byMilliseconds: Int64.random(in: 0..<span, using: &random))
                let same = account.subscriptions(at: between, catalog: Sample.catalog, policy: policy)
                try #require(
                    same.groups == answer.groups,
                    "seed \(seed &+ UInt64(round)): changed between \(instant.iso8601) and \(next.iso8601)"
                )
                instant = next
            }
        }
    }

    @Test func aStateGivesAccessWhereEntitlementsDo() throws {
        // One subscription, every product of it mapped to the same entitlement: both answers must agree.
        let catalog = Catalog(
            entitlements: ["pro"],
            products: ["pro.monthly", "pro.yearly", "max.monthly"].map {
                Product(id: $0, type: .autoRenewable, grants: ["pro"], subscriptionGroup: "plans")
            }
        )
        let seed = SeededGenerator.seedOfThisRun("aStateGivesAccessWhereEntitlementsDo")
        for round in 0..<200 {
            var random = SeededGenerator(seed: seed &+ UInt64(round))
            let account = Account(lines: [Sample.state(OrderIndependenceTests.history(&random))])
            for _ in 0..<20 {
                let instant = Sample.date("2025-12-01T00:00:00Z")
                    .advanced(byMilliseconds: Int64.random(in: 0..<300 * 86_400_000, using: &random))
                let answer = account.answer(at: instant, catalog: catalog, policy: Policy())
                let groups = account.subscriptions(at: instant, catalog: catalog, policy: Policy()).groups
                try #require(
                    groups.first?.state.isEntitling ?? false == answer.entitlements.first?.isActive ?? false,
                    "seed \(seed &+ UInt64(round)) at \(instant.iso8601)"
                )
            }
        }
    }
}
