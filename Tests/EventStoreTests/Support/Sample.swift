import EntitlementDomain
import EventStore
import JSON
import X509

/// Short ways to make statements.
enum Sample {
    static let bundleID = "com.example.app"
    static let recordedAt = Instant(milliseconds: 1_767_225_600_123)
    static let account = AccountID(high: 0x1111_1111_1111_4111, low: 0x8111_1111_1111_1111)
    static let otherAccount = AccountID(high: 0x2222_2222_2222_4222, low: 0x8222_2222_2222_2222)

    static let catalogText = """
        {
          "entitlements": [ { "id": "pro" }, { "id": "max" } ],
          "products": [
            { "productId": "pro.monthly", "type": "autoRenewable", "subscriptionGroup": "plans", "level": 2,
              "grants": ["pro"] },
            { "productId": "max.monthly", "type": "autoRenewable", "subscriptionGroup": "plans", "level": 1,
              "grants": ["pro", "max"] },
            { "productId": "pro.lifetime", "type": "nonConsumable", "grants": ["pro"] }
          ]
        }
        """

    static func catalog(_ text: String = catalogText) throws -> CatalogDocument {
        try CatalogDocument.read(Array(text.utf8))
    }

    static func lineID(_ id: String) -> LineID {
        LineID(environment: .production, bundleID: bundleID, originalTransactionID: id)
    }

    static func day(_ number: Int) -> Instant {
        Instant(milliseconds: 1_767_225_600_000 + Int64(number) * 86_400_000)
    }

    /// One month of a subscription, which began on a day; the first month of a line has the line's own id.
    static func month(
        _ line: String,
        _ number: Int = 0,
        product: String = "pro.monthly",
        token: AccountID? = nil
    ) -> TransactionFacts {
        TransactionFacts(
            transactionID: number == 0 ? line : "\(line)-\(number)",
            originalTransactionID: line,
            productID: product,
            type: .autoRenewable,
            signedAt: day(30 * number),
            purchasedAt: day(30 * number),
            expiresAt: day(30 * number + 30),
            appAccountToken: token
        )
    }

    /// A statement that carries a transaction, as an upload would bring it.
    static func upload(_ facts: TransactionFacts, claimID: String = "") -> StatementRecord {
        statement(
            StatementFacts(transaction: facts),
            name:
                "\(facts.transactionID) \(facts.signedAt.milliseconds) \(facts.revokedAt?.milliseconds ?? 0)\(claimID)"
        )
    }

    /// A statement with these facts; its identity and its evidence follow from the name.
    static func statement(
        _ facts: StatementFacts,
        name: String,
        identity: [UInt8]? = nil,
        source: EventSource = .upload,
        line: LineID? = nil,
        payload: [UInt8]? = nil
    ) -> StatementRecord {
        let text = SignedText.of(#"{"name":"\#(name)"}"#)
        let document: JSONValue = ["name": .string(name)]
        let payload = payload ?? document.canonicalBytes()
        let line =
            line
            ?? facts.transaction.map { facts in
                LineID(
                    environment: .production,
                    bundleID: bundleID,
                    originalTransactionID: facts.originalTransactionID,
                    ownership: facts.ownership
                )
            }
        return StatementRecord(
            identity: identity ?? SHA256.hash(Array(name.utf8)).bytes,
            source: source,
            environment: line?.environment ?? .production,
            bundleID: bundleID,
            line: line,
            facts: facts,
            signedAt: facts.transaction?.signedAt ?? facts.renewal?.signedAt ?? day(0),
            payload: payload,
            evidence: [StatementRecord.Evidence(digest: SHA256.hash(text).bytes, text: text)]
        )
    }

    /// An erasure of an account in all environments, or in one.
    static func erasure(of account: AccountID, in environment: StoreEnvironment? = nil) -> AccountCommand {
        let payload: JSONValue = ["account": .string(account.description), "method": "accounts.erase"]
        return AccountCommand(
            action: .erase,
            subject: .account(account),
            environment: environment ?? StoreEnvironment(rawValue: ""),
            identity: nil,
            payload: payload.canonicalBytes()
        )
    }

    /// The same statement with evidence whose digest no table takes.
    static func wrongDigest(_ statement: StatementRecord) -> StatementRecord {
        var statement = statement
        statement.evidence[0].digest = [1, 2, 3]
        return statement
    }
}
