import EntitlementDomain

/// What happened to the purchases of one account, as the App Store signed it, and what the company set beside it.
struct History {
    /// An explicit link of a line to an account.
    struct Link: Hashable {
        var line: LineID
        var account: AccountID
        var position: Int64
    }

    var policy = Policy()
    var statements: [SignedStatement] = []
    var links: [Link] = []

    /// The account that the questions are about.
    static let account = AccountID("11111111-1111-4111-8111-111111111111")!
    static let otherAccount = AccountID("22222222-2222-4222-8222-222222222222")!
    static let bundleID = "com.example.app"

    /// The lines it speaks of, sorted.
    var lineIDs: [LineID] {
        Set(statements.map(\.line) + links.map(\.line)).sorted()
    }

    static func line(_ id: String, _ ownership: Ownership = .purchased) -> LineID {
        LineID(environment: .production, bundleID: bundleID, originalTransactionID: id, ownership: ownership)
    }

    static let catalog = Catalog(
        entitlements: ["pro", "max", "pass"],
        currencies: ["coins", "gems"],
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
            Product(
                id: "pro.quarter",
                type: .autoRenewable,
                grants: ["pro"],
                subscriptionGroup: "plans",
                level: 2,
                refundAccess: .endOfPeriod
            ),
            Product(id: "pro.lifetime", type: .nonConsumable, grants: ["pro"]),
            Product(
                id: "pass.30d",
                type: .nonRenewing,
                grants: ["pass"],
                duration: CalendarDuration(iso8601: "P30D"),
                stacking: true
            ),
            Product(
                id: "pass.7d",
                type: .nonRenewing,
                grants: ["pass", "pro"],
                duration: CalendarDuration(iso8601: "P7D")
            ),
            Product(id: "coins.100", type: .consumable, credits: ["coins": 100]),
            Product(id: "bundle.7", type: .consumable, credits: ["coins": 7, "gems": 3]),
        ]
    )
}
