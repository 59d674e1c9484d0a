import EntitlementDomain
import Postgres

/// Answers from a cut through the log: the facts of a key folded from the events up to it, with the catalog of that
/// place. Of the projections it takes only which lines an account owns or has owned; all else is what they should be.
struct HistoryReader {
    /// $1 position.
    private static let catalog = PreparedStatement(
        "SELECT coalesce(max(position), 0) FROM entitled.catalogs WHERE position <= $1::bigint"
    )

    private static let columns = EventRecord.columns.split(separator: ",").map {
        "e." + $0.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed()
    }.joined(separator: ", ")

    private static let pseudonym = NameStatements.pseudonym(of: "$3::uuid", in: "$2::text")

    /// $1 cut, $2 environment, $3 account: events of all lines it ever owned, and those that name it.
    private static let ofAccount = PreparedStatement(
        """
        SELECT \(columns) FROM (\(LinesEverOwned.keys(of: "= \(pseudonym)", in: "$2::text"))) o JOIN entitled.events e
            ON e.line_id = o.line_id AND e.environment = o.environment AND e.bundle_id = o.bundle_id
            AND e.store = o.store AND e.ownership = o.ownership
        WHERE e.position <= $1::bigint
        UNION ALL
        SELECT \(columns) FROM entitled.events e
        WHERE e.account = \(pseudonym) AND e.environment = $2::text AND e.position <= $1::bigint AND e.line_id IS NULL
        ORDER BY 1
        """
    )

    /// $1 cut, $2 environment, $3 original transaction id.
    private static let ofLine = PreparedStatement(
        """
        SELECT \(columns) FROM entitled.events e
        WHERE e.line_id = $3::text AND e.environment = $2::text AND e.position <= $1::bigint ORDER BY e.position
        """
    )

    /// $1 cut, $2 environment, $3 pseudonyms: events of all lines they ever owned, each once, and those that name them.
    private static let ofAccounts = PreparedStatement(
        """
        SELECT \(columns) FROM (\(LinesEverOwned.keys(of: "= ANY($3::uuid[])", in: "$2::text"))) o JOIN entitled.events e
            ON e.line_id = o.line_id AND e.environment = o.environment AND e.bundle_id = o.bundle_id
            AND e.store = o.store AND e.ownership = o.ownership
        WHERE e.position <= $1::bigint
        UNION ALL
        SELECT \(columns) FROM entitled.events e
        WHERE e.account = ANY($3::uuid[]) AND e.environment = $2::text AND e.position <= $1::bigint
            AND e.line_id IS NULL
        ORDER BY 1
        """
    )

    let catalogs: CatalogCache

    func snapshot(
        of subject: EventQuery.Subject,
        in environment: StoreEnvironment,
        knownAt: KnownAt,
        _ session: PostgresSession
    ) throws -> Snapshot {
        try LogExtent.requireBeginning(session)
        let cut = try LogCut.position(of: knownAt, session)
        let base: [PostgresValue] = [.int8(cut.number), .text(environment.rawValue)]
        let result: PostgresResult
        switch subject {
        case .account(let account): result = try session.query(Self.ofAccount, base + [.uuid(account.uuid)])
        case .line(let id): result = try session.query(Self.ofLine, base + [.text(id)])
        }
        var fold = LogFold()
        for row in result.rows { fold.apply(try EventRecord(result, row)) }
        let account: Account
        switch subject {
        case .account(let id):
            let pseudonyms = try NameReader.pseudonyms(of: id, in: environment, session)
            account = pseudonyms.first.map { fold.account($0, in: environment) } ?? Account(lines: [])
        case .line: account = Account(lines: Array(fold.lines.values))
        }
        return Snapshot(account: account, catalog: try catalog(at: cut, session), position: cut)
    }

    /// The same for many accounts, all from one cut.
    func snapshots(
        of accounts: Set<AccountID>,
        in environment: StoreEnvironment,
        knownAt: KnownAt,
        _ session: PostgresSession
    ) throws -> Snapshots {
        try LogExtent.requireBeginning(session)
        let cut = try LogCut.position(of: knownAt, session)
        let names = try NameReader.pseudonyms(of: accounts, in: environment, session)
        let result = try session.query(
            Self.ofAccounts,
            [.int8(cut.number), .text(environment.rawValue), .uuidArray(names.values.map(\.uuid))]
        )
        var fold = LogFold()
        for row in result.rows { fold.apply(try EventRecord(result, row)) }
        let lines = Dictionary(grouping: fold.lines.values.filter { $0.owner != nil }) { $0.owner }
        let found = accounts.map { id in
            guard let name = names[id] else { return (id, Account(lines: [])) }
            let key = LogFold.AccountKey(environment: environment, account: name)
            return (id, Account(lines: lines[name] ?? [], state: fold.accounts[key] ?? AccountState()))
        }
        return Snapshots(
            accounts: Dictionary(uniqueKeysWithValues: found),
            catalog: try catalog(at: cut, session),
            position: cut
        )
    }

    private func catalog(at cut: LogPosition, _ session: PostgresSession) throws -> Catalog {
        let position = try session.query(Self.catalog, [.int8(cut.number)]).int64(0, 0)
        return try catalogs.document(at: position, session).catalog
    }
}
