import EntitlementDomain
import JSON
import Postgres
import X509

/// What recognises the accounts that were erased, as an archive carries it.
struct ErasedAccounts: Sendable, Hashable {
    struct Account: Sendable, Hashable {
        var digest: [UInt8]
        /// Empty: every one.
        var environment: String
    }

    /// The secret that the digests are keyed with.
    var secret: [UInt8]
    var accounts: [Account]

    static func read(_ session: PostgresSession) throws -> ErasedAccounts {
        let secret = try session.query("SELECT secret FROM entitled.erasure_secret")
        guard !secret.isEmpty else {
            throw StoreError.failed("table erasure_secret has no row; the database is damaged")
        }
        let found = try session.query("SELECT digest, environment FROM entitled.erased_accounts ORDER BY 1, 2")
        return ErasedAccounts(
            secret: try secret.bytes(0, 0),
            accounts: try found.rows.map {
                Account(digest: try found.bytes($0, 0), environment: try found.text($0, 1))
            }
        )
    }

    /// Writes them into a database that has none of its own.
    func insert(_ session: PostgresSession) throws {
        try session.query("UPDATE entitled.erasure_secret SET secret = $1::bytea", [.bytea(secret)])
        try session.query(
            """
            INSERT INTO entitled.erased_accounts (digest, environment)
            SELECT * FROM unnest($1::bytea[], $2::text[]) ON CONFLICT DO NOTHING
            """,
            [.byteaArray(accounts.map(\.digest)), .textArray(accounts.map(\.environment))]
        )
    }

    var json: JSONValue {
        [
            "secret": .string(Hexadecimal.text(secret)),
            "accounts": .array(
                accounts.map {
                    ["digest": .string(Hexadecimal.text($0.digest)), "environment": .string($0.environment)]
                }
            ),
        ]
    }

    /// Nil for anything else than `json` gives.
    init?(_ json: JSONValue) {
        guard let secret = json["secret"]?.stringValue.flatMap({ HexText.bytes($0) }), secret.count == 32,
            let list = json["accounts"]?.arrayValue
        else { return nil }
        self.secret = secret
        accounts = []
        for item in list {
            guard let digest = item["digest"]?.stringValue.flatMap({ HexText.bytes($0) }), digest.count == 32,
                let environment = item["environment"]?.stringValue
            else { return nil }
            accounts.append(Account(digest: digest, environment: environment))
        }
    }

    init(secret: [UInt8], accounts: [Account]) {
        self.secret = secret
        self.accounts = accounts
    }
}
