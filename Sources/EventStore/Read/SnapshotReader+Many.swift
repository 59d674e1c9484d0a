import EntitlementDomain
import Postgres

extension SnapshotReader {
    /// $1 accounts, each once, $2 environment.
    private static let byOwners = LineReach.statements { columns in
        """
        SELECT h.epoch, h.position, h.catalog_position, k.account, a.state, \(columns)
        FROM entitled.log_head h CROSS JOIN unnest($1::uuid[]) AS k (account)
        LEFT JOIN entitled.account_names n ON n.account = k.account AND n.environment = $2::text
        LEFT JOIN entitled.accounts a ON a.account = n.pseudonym AND a.environment = $2::text
        LEFT JOIN entitled.lines l ON l.owner = n.pseudonym AND l.environment = $2::text
        """
    }

    /// $1 accounts, each once, $2 environment, $3 other accounts, $4 position and $5 ordinal of a place in the feed.
    private static let byOwnersUnlessChanged = LineReach.statements { columns in
        """
        SELECT h.epoch, h.position, h.catalog_position, k.account, a.state, \(columns),
            'entitled.lines'::regclass::oid::bigint, EXISTS (
                SELECT FROM unnest($3::uuid[]) AS o (account)
                JOIN entitled.account_names n ON n.account = o.account AND n.environment = $2::text
                JOIN entitled.feed f ON f.account = n.pseudonym
                WHERE f.environment = $2::text AND (f.position, f.ordinal) > ($4::bigint, $5::bigint)),
            h.erasure_position
        FROM entitled.log_head h CROSS JOIN unnest($1::uuid[]) AS k (account)
        LEFT JOIN entitled.account_names n ON n.account = k.account AND n.environment = $2::text
        LEFT JOIN entitled.accounts a ON a.account = n.pseudonym AND a.environment = $2::text
        LEFT JOIN entitled.lines l ON l.owner = n.pseudonym AND l.environment = $2::text
        """
    }

    /// The facts of many accounts, if others have not changed: one statement, so that what is known of those others is of the
    /// same instant.
    ///
    /// - Returns: nil when one of the others has changed since a place in the feed, or may have under another basis.
    func snapshots(
        ofAccounts accounts: Set<AccountID>,
        in environment: StoreEnvironment,
        unlessChanged others: [AccountID],
        since place: FeedPosition,
        _ basis: FollowedPage.Basis,
        _ session: PostgresSession
    ) throws -> Snapshots? {
        let result = try session.query(
            Self.byOwnersUnlessChanged[reach],
            [
                .uuidArray(accounts.map(\.uuid)), .text(environment.rawValue), .uuidArray(others.map(\.uuid)),
                .int8(place.log.number), .int8(place.ordinal),
            ]
        )
        let snapshots = try read(result, session)
        let found = FollowedPage.Basis(
            catalogPosition: try result.int64(0, 2),
            tables: try result.int64(0, 5 + LineRow.columnCount(reach)),
            erasurePosition: try result.int64(0, 7 + LineRow.columnCount(reach))
        )
        let isChanged = try result.bool(0, 6 + LineRow.columnCount(reach))
        return isChanged || found != basis || snapshots.position.epoch != place.log.epoch ? nil : snapshots
    }

    /// The facts of many accounts: one statement, so that they are all of one instant.
    func snapshots(
        ofAccounts accounts: Set<AccountID>,
        in environment: StoreEnvironment,
        _ session: PostgresSession
    ) throws -> Snapshots {
        let result = try session.query(
            Self.byOwners[reach],
            [.uuidArray(accounts.map(\.uuid)), .text(environment.rawValue)]
        )
        return try read(result, session)
    }

    private func read(_ result: PostgresResult, _ session: PostgresSession) throws -> Snapshots {
        guard !result.isEmpty else { throw StoreError.failed("table log_head has no row; the database is damaged") }
        var found: [AccountID: [Int]] = [:]
        for row in result.rows { found[AccountID(try result.uuid(row, 3)), default: []].append(row) }
        return Snapshots(
            accounts: try found.mapValues { try AccountRow.account(result, $0, stateAt: 4, reach: reach) },
            catalog: try catalogs.catalog(at: try result.int64(0, 2), session).catalog,
            position: LogPosition(epoch: Int(try result.int32(0, 0)), number: try result.int64(0, 1))
        )
    }
}
