import EntitlementDomain
import Postgres

extension SnapshotReader {
    /// $1 owners, each once, $2 environment.
    private static let byOwners = PreparedStatement(
        """
        SELECT h.epoch, h.position, h.catalog_position, k.account, a.state, \(LineRow.columns)
        FROM entitled.log_head h CROSS JOIN unnest($1::uuid[]) AS k (account)
        LEFT JOIN entitled.accounts a ON a.account = k.account AND a.environment = $2::text
        LEFT JOIN entitled.lines l ON l.owner = k.account AND l.environment = $2::text
        """
    )

    /// The facts of many accounts: one statement, so that they are all of one instant.
    func snapshots(
        ofAccounts accounts: Set<AccountID>,
        in environment: StoreEnvironment,
        _ session: PostgresSession
    ) throws -> Snapshots {
        let result = try session.query(
            Self.byOwners,
            [.uuidArray(accounts.map(\.uuid)), .text(environment.rawValue)]
        )
        guard !result.isEmpty else { throw StoreError.failed("table log_head has no row; the database is damaged") }
        var found: [AccountID: (lines: [LineState], state: AccountState)] = [:]
        for row in result.rows {
            let account = AccountID(try result.uuid(row, 3))
            if found[account] == nil { found[account] = ([], try AccountRow.state(try result.optionalBytes(row, 4))) }
            if try !result.isNull(row, 5) { found[account]?.lines.append(try LineRow.read(result, row, from: 5)) }
        }
        return Snapshots(
            accounts: found.mapValues { Account(lines: $0.lines, state: $0.state) },
            catalog: try catalogs.catalog(at: try result.int64(0, 2), session).catalog,
            position: LogPosition(epoch: Int(try result.int32(0, 0)), number: try result.int64(0, 1))
        )
    }
}
