import JSON
import Testing

/// Parameters that the methods without a suite of their own must refuse, by name.
@Suite struct MethodParametersTests {
    private static let account = JSONValue.string(Samples.account)
    private static let other = JSONValue.string(Samples.otherAccount)
    private static let long = JSONValue.string(String(repeating: "a", count: 300))
    private static let tooLong = JSONValue.string(String(repeating: "a", count: 1_001))

    @Test(arguments: lookups + submissions + receipts + appStore + commands + administration)
    func badParametersAreNamed(_ bad: BadParameters) async throws {
        try await bad.check()
    }

    @Test func everyMethodHasItsTable() async throws {
        let document = try await TestService.shared.value.call("rpc.discover", [:])
        let methods = document["methods"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
        let here = Self.lookups + Self.submissions + Self.receipts + Self.appStore + Self.commands + Self.administration
        let elsewhere = [
            "appTransactions.submit", "entitlements.getMany", "purchases.list", "receipts.submit",
            "subscriptions.status",
            "transactions.submitMany",
        ]
        let missing = Set(methods).subtracting(here.map(\.method)).subtracting(elsewhere).sorted()
        #expect(missing == [])
    }

    private static let lookups: [BadParameters] =
        ["entitlements.get", "entitlements.explain", "balances.get"].flatMap { method in
            BadParameters.ofKey(method) + BadParameters.ofTime(method, "at", base: ["account": account])
        } + BadParameters.ofKey("entitlements.check", rest: ["entitlement": "pro"])
        + BadParameters.ofAny("entitlements.check", required: ["account": account, "entitlement": "pro"])
        + BadParameters.of(
            "entitlements.check",
            "entitlement",
            base: ["account": account],
            refuses: "",
            7,
            ["pro"],
            long
        )
        + BadParameters.ofKey("entitlements.token")
        + BadParameters.of("entitlements.token", "ttl", base: ["account": account], refuses: 0, 86_401, "60", 1.5)
        + BadParameters.of("entitlements.token", "audience", base: ["account": account], refuses: "", 1, long)
        + BadParameters.ofAny("events.list", required: [:])
        + BadParameters.of("events.list", "after", base: [:], refuses: 1, "1", "one:1", "1:-1")
        + BadParameters.of("events.list", "limit", base: [:], refuses: 0, 1_001, "1", 1.5)
        + BadParameters.of("events.list", "environment", base: [:], refuses: "production", 1)
        + BadParameters.of("events.list", "originalTransactionId", base: [:], refuses: 1_001, "")
        + [
            BadParameters("events.list", ["account": account, "originalTransactionId": "1"], names: "account")
        ]
        + BadParameters.ofAny("changes.list", required: [:])
        + BadParameters.of("changes.list", "after", base: [:], refuses: 1, "1", "one:1")
        + BadParameters.of("changes.list", "limit", base: [:], refuses: 0, 1_001, "1")
        + BadParameters.of("changes.list", "waitMs", base: [:], refuses: -1, 30_001, "1")
        + BadParameters.of("changes.list", "environment", base: [:], refuses: "production", 1)
        + BadParameters.ofAny("catalog.get", required: [:])
        + BadParameters.ofAny("rpc.discover", required: [:])

    private static let submissions: [BadParameters] =
        BadParameters.ofAny("transactions.submit", required: ["signedTransaction": "a.b.c"])
        + BadParameters.of(
            "transactions.submit",
            "signedTransaction",
            base: [:],
            refuses: "",
            1,
            ["a.b.c"],
            .string(String(repeating: "a", count: 256 * 1_024 + 1))
        )
        + BadParameters.of("transactions.submit", "account", base: ["signedTransaction": "a.b.c"], refuses: "me", 1)
        + BadParameters.of(
            "transactions.submit",
            "signedRenewalInfo",
            base: ["signedTransaction": "a.b.c"],
            refuses: "",
            1
        )

    private static let receipts: [BadParameters] =
        BadParameters.ofAny("receipts.submit", required: ["receipt": "MAA="])
        + BadParameters.of("receipts.submit", "receipt", base: [:], refuses: "", 1, ["MAA="])
        + BadParameters.of("receipts.submit", "account", base: ["receipt": "MAA="], refuses: "me", 1)

    private static let restore: JSONObject = ["originalTransactionId": "1001"]

    private static let appStore: [BadParameters] =
        BadParameters.ofAny("purchases.restore", required: restore)
        + BadParameters.of("purchases.restore", "originalTransactionId", base: [:], refuses: 1_001, "", long)
        + BadParameters.of("purchases.restore", "environment", base: restore, refuses: "production", "Xcode", 1)
        + BadParameters.of("purchases.restore", "bundleId", base: restore, refuses: "", 1, long)
        + BadParameters.ofAny("accounts.setAppAccountToken", required: link)
        + BadParameters.of("accounts.setAppAccountToken", "account", base: link, refuses: "me", 1)
        + BadParameters.of("accounts.setAppAccountToken", "originalTransactionId", base: link, refuses: 1_001, "")
        + BadParameters.of("accounts.setAppAccountToken", "bundleId", base: link, refuses: "", 1, long)
        + BadParameters.of("accounts.setAppAccountToken", "reason", base: link, refuses: "", 1, tooLong)

    private static let spend: JSONObject = [
        "account": account, "currency": "coins", "amount": 1, "idempotencyKey": "k",
    ]
    private static let grant: JSONObject = [
        "account": account, "entitlement": "pro", "reason": "support", "idempotencyKey": "k",
    ]
    private static let hold: JSONObject = ["account": account, "owner": "fraud", "reason": "chargeback"]
    private static let link: JSONObject = ["account": account, "originalTransactionId": "1001"]

    private static let commands: [BadParameters] =
        BadParameters.ofAny("balances.spend", required: spend)
        + BadParameters.of("balances.spend", "account", base: spend, refuses: "me", 1)
        + BadParameters.of("balances.spend", "currency", base: spend, refuses: "", 1, "stones", long)
        + BadParameters.of("balances.spend", "amount", base: spend, refuses: 0, -1, 1.5, "1", 1_000_000_000_001)
        + BadParameters.of("balances.spend", "idempotencyKey", base: spend, refuses: "", 1, long)
        + BadParameters.of("balances.spend", "environment", base: spend, refuses: "production")
        + BadParameters.ofAny("grants.issue", required: grant)
        + BadParameters.of("grants.issue", "account", base: grant, refuses: "me", 1)
        + BadParameters.of("grants.issue", "entitlement", base: grant, refuses: "", 1, "platinum", long)
        + BadParameters.of("grants.issue", "reason", base: grant, refuses: "", 1, tooLong)
        + BadParameters.of("grants.issue", "idempotencyKey", base: grant, refuses: "", 1, long)
        + BadParameters.ofTime("grants.issue", "startsAt", base: grant)
        + BadParameters.ofTime("grants.issue", "expiresAt", base: grant)
        + BadParameters.of(
            "grants.issue",
            "expiresAt",
            base: Samples.merge(grant, ["startsAt": "2026-03-01"]),
            refuses: "2026-03-01"
        )
        + BadParameters.ofAny("grants.revoke", required: ["account": account, "grantId": other])
        + BadParameters.of("grants.revoke", "grantId", base: ["account": account], refuses: "g1", 1)
        + BadParameters.ofAny("holds.place", required: hold)
        + BadParameters.of("holds.place", "originalTransactionId", base: ["owner": "o", "reason": "r"], refuses: 1, "")
        + BadParameters.of("holds.place", "entitlement", base: hold, refuses: "", 1, long)
        + BadParameters.of("holds.place", "owner", base: hold, refuses: "", 1, long)
        + BadParameters.of("holds.place", "reason", base: hold, refuses: "", 1, tooLong)
        + [
            BadParameters(
                "holds.place",
                .object(Samples.merge(hold, ["originalTransactionId": "1001"])),
                names: "account"
            )
        ]
        + BadParameters.of("holds.place", "entitlement", base: hold, refuses: "pro\u{0}")
        + BadParameters.of("grants.issue", "idempotencyKey", base: grant, refuses: "k\u{0}")
        + BadParameters.of("accounts.link", "originalTransactionId", base: link, refuses: "1\u{0}")
        + BadParameters.ofAny("holds.lift", required: ["account": account, "holdId": other])
        + BadParameters.of("holds.lift", "holdId", base: ["account": account], refuses: "h1", 1)
        + BadParameters.ofAny("accounts.link", required: link)
        + BadParameters.of("accounts.link", "account", base: link, refuses: "me", 1)
        + BadParameters.of("accounts.link", "originalTransactionId", base: link, refuses: 1_001, "")
        + BadParameters.of("accounts.link", "environment", base: link, refuses: "Local", 1)
        + BadParameters.of("accounts.link", "reason", base: link, refuses: "", 1, tooLong)
        + BadParameters.of("accounts.link", "idempotencyKey", base: link, refuses: "", 1, long)
        + BadParameters.ofAny("accounts.erase", required: ["account": account])
        + BadParameters.of("accounts.erase", "account", base: [:], refuses: "me", 1)
        + BadParameters.of("accounts.erase", "environment", base: ["account": account], refuses: "production", "", 1)
        + BadParameters.of("accounts.erase", "reason", base: ["account": account], refuses: "", 1, tooLong)
        + BadParameters.of("accounts.erase", "idempotencyKey", base: ["account": account], refuses: "", 1, long)
        + [
            BadParameters("accounts.transfer", .array([]), names: nil),
            BadParameters("accounts.transfer", ["nonsense": 1], names: "nonsense"),
            BadParameters("accounts.transfer", [:], names: "toAccount"),
            BadParameters("accounts.transfer", ["account": account], names: "toAccount"),
            BadParameters("accounts.transfer", ["toAccount": account], names: "toAccount"),
            BadParameters("accounts.transfer", ["originalTransactionId": "1001"], names: "toAccount"),
            BadParameters("accounts.transfer", ["account": account, "toAccount": account], names: "toAccount"),
        ]
        + BadParameters.of("accounts.transfer", "toAccount", base: ["account": account], refuses: "me", 1)
        + BadParameters.of("accounts.transfer", "account", base: ["toAccount": other], refuses: "me", 1)
        + BadParameters.of("accounts.transfer", "originalTransactionId", base: ["toAccount": other], refuses: 1, "")

    private static let administration: [BadParameters] =
        BadParameters.ofAny("catalog.put", required: ["catalog": Samples.catalog])
        + BadParameters.of("catalog.put", "catalog", base: [:], refuses: "{}", [], 1, ["products": 1], [:])
        + BadParameters.ofAny("audit.checkpoint", required: [:])
        + BadParameters.ofAny("audit.verify", required: [:])
        + BadParameters.of("audit.verify", "from", base: [:], refuses: 1, "1", "one:1")
        + BadParameters.of("audit.verify", "to", base: [:], refuses: 1, "1", "1:-1")
        + BadParameters.of("audit.verify", "limit", base: [:], refuses: 0, 1_000_001, "1", 1.5)
        + BadParameters.of("audit.verify", "signatures", base: [:], refuses: "true", 1)
        + BadParameters.ofAny("audit.replay", required: [:])
        + BadParameters.of("audit.replay", "account", base: [:], refuses: "me", 1)
        + BadParameters.of("audit.replay", "environment", base: ["account": account], refuses: "production", 1)
        + BadParameters.of("audit.replay", "knownAt", base: [:], refuses: "2026-03-01")
        + BadParameters.ofTime("audit.replay", "at", base: ["account": account])
}
