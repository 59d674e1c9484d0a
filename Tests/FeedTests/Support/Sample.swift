import EntitlementDomain
import EventStore
import JSON
import X509

/// Short ways to make statements, commands and accounts.
enum Sample {
    static let bundleID = "com.example.app"

    static let catalogText = """
        {
          "entitlements": [ { "id": "pro" }, { "id": "max" }, { "id": "pass" } ],
          "currencies": [ { "id": "coins" } ],
          "products": [
            { "productId": "pro.monthly", "type": "autoRenewable", "subscriptionGroup": "plans", "level": 2, "period": "P1M",
              "grants": ["pro"] },
            { "productId": "pro.lifetime", "type": "nonConsumable", "grants": ["pro"] },
            { "productId": "pass.30d", "type": "nonRenewing", "duration": "P30D", "stacking": true, "grants": ["pass"] },
            { "productId": "coins.100", "type": "consumable", "credits": { "coins": 100 } }
          ]
        }
        """

    static func catalog(_ text: String = catalogText) throws -> [UInt8] {
        try CatalogDocument.read(Array(text.utf8)).canonicalJSON
    }

    static func account(_ number: Int) -> AccountID {
        AccountID(high: 0x1111_1111_1111_4111, low: 0x8000_0000_0000_0000 | UInt64(number))
    }

    static func day(_ number: Int, hours: Int = 0) -> Instant {
        Instant(milliseconds: 1_767_225_600_000 + Int64(number) * 86_400_000 + Int64(hours) * 3_600_000)
    }

    static func lineID(_ id: String, _ environment: StoreEnvironment = .production) -> LineID {
        LineID(environment: environment, bundleID: bundleID, originalTransactionID: id)
    }

    /// One month of a subscription that begins on a day.
    static func month(
        _ line: String,
        from start: Int = 0,
        for account: AccountID? = nil,
        signedAt: Instant? = nil,
        revokedAt: Instant? = nil
    ) -> TransactionFacts {
        TransactionFacts(
            transactionID: "\(line)-\(start)",
            originalTransactionID: line,
            productID: "pro.monthly",
            type: .autoRenewable,
            signedAt: signedAt ?? day(start),
            purchasedAt: day(start),
            expiresAt: day(start + 30),
            revokedAt: revokedAt,
            appAccountToken: account
        )
    }

    /// A purchase that the catalog knows and that has no end of its own.
    static func purchase(
        _ product: String,
        _ line: String,
        type: ProductType,
        at start: Instant,
        for account: AccountID,
        signedAt: Instant? = nil,
        revokedAt: Instant? = nil
    ) -> TransactionFacts {
        TransactionFacts(
            transactionID: line,
            originalTransactionID: line,
            productID: product,
            type: type,
            signedAt: signedAt ?? start,
            purchasedAt: start,
            revokedAt: revokedAt,
            appAccountToken: account
        )
    }

    /// A statement that carries these facts; its identity follows from its name.
    static func statement(
        _ transaction: TransactionFacts?,
        _ renewal: RenewalFacts? = nil,
        name: String,
        line: String? = nil,
        in environment: StoreEnvironment = .production
    ) -> AppendRequest {
        let text = Array("signed text of \(name)".utf8)
        let payload: JSONValue = ["name": .string(name)]
        return .statement(
            StatementRecord(
                identity: SHA256.hash(Array(name.utf8)).bytes,
                source: .notification,
                environment: environment,
                bundleID: bundleID,
                line: lineID(line ?? transaction?.originalTransactionID ?? "", environment),
                facts: StatementFacts(transaction: transaction, renewal: renewal),
                signedAt: transaction?.signedAt ?? renewal?.signedAt ?? day(0),
                payload: payload.canonicalBytes(),
                evidence: [StatementRecord.Evidence(digest: SHA256.hash(text).bytes, text: text)]
            ),
            claim: nil
        )
    }

    /// A command about an account.
    static func command(_ action: AccountCommand.Action, on account: AccountID) -> AppendRequest {
        .command(
            AccountCommand(
                action: action,
                subject: .account(account),
                environment: .production,
                identity: nil,
                payload: Array("{}".utf8)
            )
        )
    }
}
