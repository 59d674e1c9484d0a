import EntitlementDomain
import Testing

@Suite struct SubscriptionAnswerTests {
    private func pro(_ state: LineState, at instant: String, policy: Policy = Policy()) -> EntitlementSource? {
        Sample.answer(state, at: instant, policy: policy)[entitlement: "pro"]?.decisive
    }

    @Test func aPeriodIsHalfOpen() {
        let state = Sample.state(Sample.period("1001", from: "2026-03-01T00:00:00Z", to: "2026-04-01T00:00:00Z"))
        #expect(pro(state, at: "2026-02-28T23:59:59.999Z") == nil)
        #expect(pro(state, at: "2026-03-01T00:00:00Z")?.state == .active)
        #expect(pro(state, at: "2026-03-31T23:59:59.999Z")?.state == .active)
        #expect(pro(state, at: "2026-04-01T00:00:00Z")?.state == .expired)
    }

    @Test func theEarliestRevocationDateCountsUntilANewerVersionLiftsIt() {
        let base = Sample.period("1001", from: "2026-03-01T00:00:00Z", to: "2026-04-01T00:00:00Z")
        let refund = Sample.period(
            "1001",
            from: "2026-03-01T00:00:00Z",
            to: "2026-04-01T00:00:00Z",
            signed: "2026-03-09T00:00:00Z",
            revoked: "2026-03-09T00:00:00Z"
        )
        let later = Sample.period(
            "1001",
            from: "2026-03-01T00:00:00Z",
            to: "2026-04-01T00:00:00Z",
            signed: "2026-03-12T00:00:00Z",
            revoked: "2026-03-12T00:00:00Z"
        )
        let lifted = Sample.period(
            "1001",
            from: "2026-03-01T00:00:00Z",
            to: "2026-04-01T00:00:00Z",
            signed: "2026-03-15T00:00:00Z"
        )
        #expect(pro(Sample.state(later, refund, base), at: "2026-03-10T00:00:00Z")?.state == .revoked)
        #expect(pro(Sample.state(later, refund, base), at: "2026-03-08T00:00:00Z")?.state == .active)
        #expect(pro(Sample.state(lifted, later, refund, base), at: "2026-03-16T00:00:00Z")?.state == .active)
    }

    @Test func aTwinDoesNotKeepRefundedAccessAlive() {
        let twin = Sample.period(
            "1009",
            from: "2026-03-01T00:00:00Z",
            to: "2026-04-01T00:00:00Z",
            signed: "2026-03-02T00:00:00Z",
            lineItem: "w1"
        )
        let refund = Sample.period(
            "1001",
            from: "2026-03-01T00:00:00Z",
            to: "2026-04-01T00:00:00Z",
            signed: "2026-03-09T00:00:00Z",
            revoked: "2026-03-09T00:00:00Z",
            lineItem: "w1"
        )
        #expect(pro(Sample.state(twin, refund), at: "2026-03-10T00:00:00Z")?.state == .revoked)
    }

    @Test func graceWithoutADateLastsAsThePolicySays() {
        let base = Sample.period("1001", from: "2026-03-01T00:00:00Z", to: "2026-04-01T00:00:00Z")
        let failed = RenewalFacts(
            signedAt: Sample.date("2026-04-01T00:05:00Z"),
            autoRenews: true,
            isInBillingRetry: true,
            status: 4,
            saysGracePeriod: true
        )
        let state = Sample.state(base, renewals: failed)
        #expect(pro(state, at: "2026-04-01T23:59:59.999Z")?.state == .inGracePeriod)
        #expect(pro(state, at: "2026-04-02T00:00:00Z")?.state == .inBillingRetryPeriod)
    }

    @Test func recoveryInsideGraceLeavesNoGapInHistory() {
        let base = Sample.period("1001", from: "2026-03-01T00:00:00Z", to: "2026-04-01T00:00:00Z")
        let failed = RenewalFacts(
            signedAt: Sample.date("2026-04-01T00:05:00Z"),
            autoRenews: true,
            isInBillingRetry: true,
            gracePeriodExpiresAt: Sample.date("2026-04-17T00:00:00Z")
        )
        let recovered = Sample.period("1002", from: "2026-04-06T00:00:00Z", to: "2026-05-06T00:00:00Z")
        let renewed = RenewalFacts(signedAt: Sample.date("2026-04-06T00:00:00Z"), autoRenews: true)
        let state = Sample.state(base, recovered, renewals: renewed, failed)
        #expect(pro(state, at: "2026-04-05T00:00:00Z")?.state == .inGracePeriod)
        #expect(pro(state, at: "2026-04-06T00:00:00Z")?.state == .active)
        #expect(pro(state, at: "2026-05-06T00:00:00Z")?.state == .expired)
    }

    @Test func leewayGoesOnWhileARenewalIsExpected() {
        var policy = Policy()
        policy.renewalLeeway = CalendarDuration(iso8601: "PT2H")!
        let base = Sample.period("1001", from: "2026-03-01T00:00:00Z", to: "2026-04-01T00:00:00Z")
        let expected = RenewalFacts(signedAt: Sample.date("2026-03-01T00:00:00Z"), autoRenews: true)
        let cancelled = RenewalFacts(signedAt: Sample.date("2026-03-05T00:00:00Z"), autoRenews: false)
        let state = Sample.state(base, renewals: expected)
        let source = pro(state, at: "2026-04-01T01:59:59.999Z", policy: policy)
        #expect(source?.state == .active && source?.isInLeeway == true)
        #expect(pro(state, at: "2026-04-01T02:00:00Z", policy: policy)?.state == .expired)
        #expect(
            pro(Sample.state(base, renewals: expected, cancelled), at: "2026-04-01T00:00:00Z", policy: policy)?.state
                == .expired
        )
    }

    @Test func endOfPeriodKeepsARefundedPeriodButNotAProratedOne() {
        var policy = Policy()
        policy.refundAccess = .endOfPeriod
        func refunded(_ kind: RevocationKind) -> LineState {
            Sample.state(
                Sample.period(
                    "1001",
                    from: "2026-03-01T00:00:00Z",
                    to: "2026-04-01T00:00:00Z",
                    signed: "2026-03-09T00:00:00Z",
                    revoked: "2026-03-09T00:00:00Z",
                    kind: kind
                )
            )
        }
        #expect(pro(refunded(.full), at: "2026-03-31T00:00:00Z", policy: policy)?.state == .active)
        #expect(pro(refunded(.full), at: "2026-04-01T00:00:00Z", policy: policy)?.isActive == false)
        #expect(pro(refunded(.prorated), at: "2026-03-10T00:00:00Z", policy: policy)?.state == .revoked)
    }

    @Test func aLifetimeBoughtAgainAfterARefundIsANewPurchase() {
        func lifetime(_ id: String, _ bought: String, signed: String, revoked: String? = nil) -> TransactionFacts {
            TransactionFacts(
                transactionID: id,
                originalTransactionID: "1001",
                productID: "pro.lifetime",
                type: .nonConsumable,
                signedAt: Sample.date(signed),
                purchasedAt: Sample.date(bought),
                revokedAt: revoked.map(Sample.date),
                appAccountToken: Sample.account
            )
        }
        let state = Sample.state(
            lifetime("1001", "2026-03-01T00:00:00Z", signed: "2026-03-01T00:00:00Z"),
            lifetime("1001", "2026-03-01T00:00:00Z", signed: "2026-03-09T00:00:00Z", revoked: "2026-03-09T00:00:00Z"),
            lifetime("1004", "2026-05-01T00:00:00Z", signed: "2026-05-01T00:00:00Z")
        )
        #expect(pro(state, at: "2026-03-08T00:00:00Z")?.state == .active)
        #expect(pro(state, at: "2026-04-01T00:00:00Z")?.state == .revoked)
        #expect(pro(state, at: "2026-05-01T00:00:00Z")?.state == .active)
    }
}
