import EntitlementDomain
import Postgres

/// The SQL of the names of accounts.
enum NameStatements {
    /// $1 accounts, $2 environments -> those that have a name, or were erased.
    ///
    /// Whether an account was erased is told by a digest that is keyed with a secret of this database: the UUID itself is
    /// kept nowhere.
    static let find = PreparedStatement(
        """
        SELECT k.account, k.environment, n.pseudonym, n.evidence_key FROM unnest($1::uuid[], $2::text[])
            AS k (account, environment)
        LEFT JOIN entitled.account_names n USING (account, environment)
        WHERE n.account IS NOT NULL OR EXISTS (SELECT FROM entitled.erased_accounts) AND EXISTS (
            SELECT FROM entitled.erased_accounts e
            WHERE e.digest = \(digest("k.account")) AND e.environment IN (k.environment, '')
        )
        """
    )

    /// $1 accounts -> their names in all environments, and the environments in which they were erased.
    static let findEverywhere = PreparedStatement(
        """
        SELECT n.account, n.environment, n.pseudonym, n.evidence_key FROM entitled.account_names n
        WHERE n.account = ANY ($1::uuid[])
        UNION ALL
        SELECT k.account, e.environment, NULL, NULL FROM unnest($1::uuid[]) AS k (account)
        JOIN entitled.erased_accounts e ON e.digest = \(digest("k.account"))
        """
    )

    /// $1 accounts, $2 environments, $3 pseudonyms, $4 keys.
    static let insert = PreparedStatement(
        """
        INSERT INTO entitled.account_names (account, environment, pseudonym, evidence_key)
        SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::bytea[])
        """
    )

    /// $1 pseudonyms.
    static let delete = PreparedStatement("DELETE FROM entitled.account_names WHERE pseudonym = ANY ($1::uuid[])")

    /// $1 accounts, $2 environments or ''.
    static let insertErased = PreparedStatement(
        """
        INSERT INTO entitled.erased_accounts (digest, environment)
        SELECT \(digest("k.account")), k.environment FROM unnest($1::uuid[], $2::text[]) AS k (account, environment)
        ON CONFLICT DO NOTHING
        """
    )

    /// $1 pseudonyms -> the accounts that they stand for.
    static let findAccounts = PreparedStatement(
        "SELECT pseudonym, account FROM entitled.account_names WHERE pseudonym = ANY ($1::uuid[])"
    )

    /// $1 account, $2 environment or null -> its pseudonyms.
    static let findPseudonyms = PreparedStatement(
        """
        SELECT pseudonym FROM entitled.account_names
        WHERE account = $1::uuid AND ($2::text IS NULL OR environment = $2::text)
        """
    )

    /// $1 accounts, $2 environment -> those that have a pseudonym, with it.
    static let findManyPseudonyms = PreparedStatement(
        """
        SELECT account, pseudonym FROM entitled.account_names
        WHERE account = ANY ($1::uuid[]) AND environment = $2::text
        """
    )

    /// The pseudonym of an account as a part of another statement; null: it has none.
    static func pseudonym(of account: String, in environment: String) -> String {
        """
        (SELECT n.pseudonym FROM entitled.account_names n WHERE n.account = \(account) AND n.environment = \(environment))
        """
    }

    /// SHA-256 over the secret and the account; both have a fixed length, so that no digest leads to another one.
    /// The secret is a value and no table to join: joined, the planner would look through all digests for each account as
    /// long as it believes that there are none.
    private static func digest(_ account: String) -> String {
        "sha256((SELECT s.secret FROM entitled.erasure_secret s) || uuid_send(\(account)))"
    }

    /// Reads rows of `find` or `findEverywhere`.
    static func read(_ result: PostgresResult, into book: inout NameBook) throws {
        for row in result.rows {
            let key = AppendPlan.AccountKey(
                environment: StoreEnvironment(rawValue: try result.text(row, 1)),
                account: AccountID(try result.uuid(row, 0))
            )
            if let pseudonym = try result.optionalUuid(row, 2) {
                book.note(
                    AccountName(
                        key: key,
                        pseudonym: AccountID(pseudonym),
                        evidenceKey: try result.bytes(row, 3)
                    )
                )
            } else {
                book.note(erased: key)
            }
        }
    }

    /// What brings the tables to where a group leaves the names.
    static func steps(_ book: NameBook) -> [PostgresPipelineStep] {
        var steps: [PostgresPipelineStep] = []
        if !book.created.isEmpty {
            steps.append(
                PostgresPipelineStep(
                    insert,
                    [
                        .uuidArray(book.created.map(\.key.account.uuid)),
                        .textArray(book.created.map(\.key.environment.rawValue)),
                        .uuidArray(book.created.map(\.pseudonym.uuid)), .byteaArray(book.created.map(\.evidenceKey)),
                    ]
                )
            )
        }
        if !book.destroyed.isEmpty {
            steps.append(PostgresPipelineStep(delete, [.uuidArray(book.destroyed.map(\.pseudonym.uuid))]))
        }
        if !book.newlyErased.isEmpty {
            steps.append(
                PostgresPipelineStep(
                    insertErased,
                    [
                        .uuidArray(book.newlyErased.map(\.account.uuid)),
                        .textArray(book.newlyErased.map(\.environment.rawValue)),
                    ]
                )
            )
        }
        return steps
    }
}
