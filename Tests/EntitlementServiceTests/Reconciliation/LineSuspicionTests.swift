import EntitlementDomain
import EntitlementService
import Testing

struct LineSuspicionTests {
    private static let account = AccountID(high: 1, low: 1)
    private static let other = AccountID(high: 2, low: 2)
    private static let end = "2026-04-01T00:00:00Z"

    private static func period(
        _ id: String = "1001",
        revoked: String? = nil,
        token: AccountID? = account
    ) -> TransactionFacts {
        TransactionFacts(
            transactionID: id,
            originalTransactionID: "1001",
            productID: "pro.monthly",
            type: .autoRenewable,
            signedAt: Samples.date("2026-03-01T00:00:00Z"),
            purchasedAt: Samples.date("2026-03-01T00:00:00Z"),
            expiresAt: Samples.date(end),
            revokedAt: revoked.map(Samples.date),
            appAccountToken: token
        )
    }

    private static func line(_ transactions: [TransactionFacts], _ renewal: RenewalFacts?) -> LineState {
        var line = LineState(
            id: LineID(environment: .production, bundleID: "com.example.app", originalTransactionID: "1001")
        )
        for transaction in transactions { line.apply(StatementFacts(transaction: transaction), announces: true) }
        if let renewal { line.apply(StatementFacts(renewal: renewal), announces: true) }
        return line
    }

    private static func renewal(_ change: (inout RenewalFacts) -> Void = { _ in }) -> RenewalFacts {
        var facts = RenewalFacts(signedAt: Samples.date("2026-03-01T00:00:00Z"), autoRenews: true)
        change(&facts)
        return facts
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var line: LineState
        var at: String
        var expected: LineSuspicion?

        init(_ words: String, _ line: LineState, at: String, _ expected: LineSuspicion?) {
            testDescription = words
            self.line = line
            self.at = at
            self.expected = expected
        }
    }

    static let cases = [
        Case("a period that runs", line([period()], renewal()), at: "2026-03-15T00:00:00Z", nil),
        Case("half an hour over", line([period()], renewal()), at: "2026-04-01T00:30:00Z", nil),
        Case("two hours over", line([period()], renewal()), at: "2026-04-01T02:00:00Z", .renewalOverdue),
        Case("nothing known of the renewal", line([period()], nil), at: "2026-04-01T02:00:00Z", .renewalOverdue),
        Case("for 69 days", line([period()], renewal()), at: "2026-06-08T00:00:00Z", .renewalOverdue),
        Case("for 71 days", line([period()], renewal()), at: "2026-06-11T00:00:00Z", nil),
        Case(
            "renewal was off",
            line([period()], renewal { $0.autoRenews = false }),
            at: "2026-04-01T02:00:00Z",
            nil
        ),
        Case(
            "the reason of the end is known",
            line([period()], renewal { $0.expirationIntent = 1 }),
            at: "2026-04-01T02:00:00Z",
            nil
        ),
        Case("refunded", line([period(revoked: "2026-03-10T00:00:00Z")], renewal()), at: "2026-04-01T02:00:00Z", nil),
        Case(
            "charged again and again",
            line(
                [period()],
                renewal {
                    $0.signedAt = Samples.date("2026-04-01T00:01:00Z")
                    $0.isInBillingRetry = true
                }
            ),
            at: "2026-04-10T00:00:00Z",
            nil
        ),
        Case(
            "charged for longer than the App Store does",
            line(
                [period()],
                renewal {
                    $0.signedAt = Samples.date("2026-04-01T00:01:00Z")
                    $0.isInBillingRetry = true
                }
            ),
            at: "2026-06-02T00:00:00Z",
            .graceWithoutDate
        ),
        Case(
            "grace without a date",
            line(
                [period()],
                renewal {
                    $0.signedAt = Samples.date("2026-04-01T00:01:00Z")
                    $0.isInBillingRetry = true
                    $0.saysGracePeriod = true
                }
            ),
            at: "2026-04-01T02:00:00Z",
            .graceWithoutDate
        ),
        Case(
            "grace with a date",
            line(
                [period()],
                renewal {
                    $0.signedAt = Samples.date("2026-04-01T00:01:00Z")
                    $0.isInBillingRetry = true
                    $0.saysGracePeriod = true
                    $0.gracePeriodExpiresAt = Samples.date("2026-04-17T00:00:00Z")
                }
            ),
            at: "2026-04-01T02:00:00Z",
            nil
        ),
        Case(
            "the App Store says expired within the period",
            line(
                [period()],
                renewal {
                    $0.signedAt = Samples.date("2026-03-10T00:00:00Z")
                    $0.status = 2
                }
            ),
            at: "2026-03-15T00:00:00Z",
            .statusDisagrees
        ),
        Case(
            "the App Store says active after a refund",
            line(
                [period(revoked: "2026-03-05T00:00:00Z")],
                renewal {
                    $0.signedAt = Samples.date("2026-03-10T00:00:00Z")
                    $0.status = 1
                }
            ),
            at: "2026-03-15T00:00:00Z",
            .statusDisagrees
        ),
        Case(
            "the App Store says active in the period",
            line([period()], renewal { $0.status = 1 }),
            at: "2026-03-15T00:00:00Z",
            nil
        ),
        Case(
            "two accounts",
            line([period(), period("1002", token: other)], renewal()),
            at: "2026-03-15T00:00:00Z",
            .ownerDisagrees
        ),
    ]

    @Test(arguments: cases)
    func aLineIsSuspiciousOrNot(example: Case) {
        let suspicion = LineSuspicion(
            example.line,
            at: Samples.date(example.at),
            catalog: .empty,
            policy: Policy()
        )
        #expect(suspicion == example.expected)
    }

    @Test func aDecisionAboutTheOwnerSettlesIt() {
        var line = Self.line([Self.period(), Self.period("1002", token: Self.other)], Self.renewal())
        line.apply(OwnerLink(account: Self.other, position: 5))
        let now = Samples.date("2026-03-15T00:00:00Z")
        #expect(LineSuspicion(line, at: now, catalog: .empty, policy: Policy()) == nil)
    }

    @Test func thePausesGrowToAWeek() {
        let hours = (1...6).map { LineSuspicion.pause(afterTries: $0) / 3_600_000 }
        #expect(hours == [1, 4, 16, 64, 168, 168])
        #expect(LineSuspicion.pause(afterTries: 1_000) == 7 * 86_400_000)
    }
}
