import EntitlementDomain

/// Short ways to write facts in tests.
enum Sample {
    static let account = AccountID("11111111-1111-4111-8111-111111111111")!
    static let otherAccount = AccountID("22222222-2222-4222-8222-222222222222")!
    static let line = LineID(environment: .production, bundleID: "com.example.app", originalTransactionID: "1001")

    static let catalog = Catalog(
        entitlements: ["pro", "max", "pass"],
        currencies: ["coins"],
        products: [
            Product(id: "pro.monthly", type: .autoRenewable, grants: ["pro"], subscriptionGroup: "plans", level: 2),
            Product(id: "pro.yearly", type: .autoRenewable, grants: ["pro"], subscriptionGroup: "plans", level: 2),
            Product(
                id: "max.monthly",
                type: .autoRenewable,
                grants: ["pro", "max"],
                subscriptionGroup: "plans",
                level: 1
            ),
            Product(id: "pro.lifetime", type: .nonConsumable, grants: ["pro"]),
            Product(
                id: "pass.30d",
                type: .nonRenewing,
                grants: ["pass"],
                duration: CalendarDuration(iso8601: "P30D")!,
                stacking: true
            ),
            Product(id: "coins.100", type: .consumable, credits: ["coins": 100]),
        ]
    )

    static func date(_ text: String) -> Instant {
        Instant(iso8601: text)!
    }

    static func period(
        _ id: String,
        _ product: String = "pro.monthly",
        from start: String,
        to end: String?,
        signed: String? = nil,
        revoked: String? = nil,
        lineItem: String? = nil,
        token: AccountID? = account,
        isUpgraded: Bool = false,
        kind: RevocationKind = .full
    ) -> TransactionFacts {
        TransactionFacts(
            transactionID: id,
            originalTransactionID: "1001",
            productID: product,
            type: .autoRenewable,
            signedAt: date(signed ?? start),
            purchasedAt: date(start),
            expiresAt: end.map(date),
            webOrderLineItemID: lineItem,
            revokedAt: revoked.map(date),
            revocationKind: kind,
            isUpgraded: isUpgraded,
            appAccountToken: token
        )
    }

    static func state(_ facts: [StatementFacts]) -> LineState {
        var state = LineState(id: line)
        for fact in facts { state.apply(fact, announces: true) }
        return state
    }

    static func state(_ transactions: TransactionFacts..., renewals: RenewalFacts...) -> LineState {
        state(
            transactions.map { StatementFacts(transaction: $0) } + renewals.map { StatementFacts(renewal: $0) }
        )
    }

    static func answer(_ states: LineState..., at instant: String, policy: Policy = Policy()) -> Answer {
        Account(lines: states).answer(at: date(instant), catalog: catalog, policy: policy)
    }
}
