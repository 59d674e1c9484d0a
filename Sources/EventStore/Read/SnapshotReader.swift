import EntitlementDomain
import Postgres

/// Reads the facts of one key: one statement, so that facts, catalog and position are of one instant.
struct SnapshotReader {
    let catalogs: CatalogCache
    var reach = LineReach.head

    /// $1 account, $2 environment.
    static let byOwner = LineReach.statements { columns in
        """
        SELECT h.epoch, h.position, h.catalog_position, a.state, \(columns)
        FROM entitled.log_head h
        LEFT JOIN entitled.account_names n ON n.account = $1::uuid AND n.environment = $2::text
        LEFT JOIN entitled.accounts a ON a.account = n.pseudonym AND a.environment = $2::text
        LEFT JOIN entitled.lines l ON l.owner = n.pseudonym AND l.environment = $2::text
        """
    }

    /// $1 original transaction id, $2 environment.
    private static let byLine = LineReach.statements { columns in
        """
        SELECT h.epoch, h.position, h.catalog_position, NULL::bytea, \(columns)
        FROM entitled.log_head h LEFT JOIN entitled.lines l ON l.line_id = $1::text AND l.environment = $2::text
        """
    }

    /// $1 original transaction ids, $2 environment.
    private static let byLines = LineReach.statements { columns in
        """
        SELECT h.epoch, h.position, h.catalog_position, NULL::bytea, \(columns)
        FROM entitled.log_head h
        LEFT JOIN entitled.lines l ON l.line_id = ANY($1::text[]) AND l.environment = $2::text
        """
    }

    /// What `byOwner` takes.
    static func parameters(ofAccount account: AccountID, in environment: StoreEnvironment) -> [PostgresValue] {
        [.uuid(account.uuid), .text(environment.rawValue)]
    }

    func snapshot(ofLine id: String, in environment: StoreEnvironment, _ session: PostgresSession) throws -> Snapshot {
        try read(session.query(Self.byLine[reach], [.text(id), .text(environment.rawValue)]), session)
    }

    func snapshot(ofLines ids: Set<String>, in environment: StoreEnvironment, _ session: PostgresSession) throws
        -> Snapshot
    {
        try read(session.query(Self.byLines[reach], [.textArray(ids.sorted()), .text(environment.rawValue)]), session)
    }

    private func read(_ result: PostgresResult, _ session: PostgresSession) throws -> Snapshot {
        let facts = try Self.facts(result, reach: reach)
        let catalog = try catalogs.catalog(at: facts.catalogPosition, session).catalog
        return Snapshot(account: facts.account, catalog: catalog, position: facts.position)
    }

    /// The facts in a result, and where the catalog that belongs to them came into force.
    ///
    /// - Parameter reach: of the statement that the result is of.
    static func facts(
        _ result: PostgresResult,
        reach: LineReach
    ) throws -> (account: Account, position: LogPosition, catalogPosition: Int64) {
        guard !result.isEmpty else { throw StoreError.failed("table log_head has no row; the database is damaged") }
        let position = LogPosition(epoch: Int(try result.int32(0, 0)), number: try result.int64(0, 1))
        let account = try AccountRow.account(result, Array(result.rows), stateAt: 3, reach: reach)
        return (account, position, try result.int64(0, 2))
    }
}
