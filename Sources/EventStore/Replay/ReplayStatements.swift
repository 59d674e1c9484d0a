import EntitlementDomain
import Postgres

/// The SQL of replays, beside the reading of log and projections.
enum ReplayStatements {
    /// $1 positions of the catalogs in the log, $2 up to.
    private static let catalogs = PreparedStatement(
        """
        SELECT coalesce(c.position, e.position), c.position IS NOT NULL, e.position IS NOT NULL
        FROM (SELECT * FROM entitled.catalogs WHERE position <= $2::bigint) c
        FULL JOIN (SELECT position, payload FROM entitled.events WHERE position = ANY ($1::bigint[])) e
            ON e.position = c.position
        WHERE c.catalog IS DISTINCT FROM e.payload ORDER BY 1
        """
    )

    /// $1 original transaction id, $2 environment, $3 limit.
    private static let eventsOfLine = PreparedStatement(
        """
        SELECT position FROM entitled.events WHERE line_id = $1::text AND environment = $2::text
        ORDER BY position LIMIT $3::bigint
        """
    )

    /// $1 account, $2 environment, $3 limit.
    private static let eventsOfAccount = PreparedStatement(
        """
        SELECT DISTINCT position FROM (
            SELECT e.position FROM entitled.events e WHERE e.account = $1::uuid AND e.environment = $2::text
            UNION ALL
            SELECT e.position FROM (\(LinesEverOwned.keys(of: "= $1::uuid", in: "$2::text"))) o JOIN entitled.events e
                ON e.line_id = o.line_id AND e.environment = o.environment
        ) e ORDER BY position LIMIT $3::bigint
        """
    )

    /// The catalogs that the rows of projection `entitlements` may follow, the one in force first: another one only while
    /// a new catalog is on its way through a long log.
    static func catalogsInForce(_ session: PostgresSession) throws -> [Catalog] {
        let current = try session.query("SELECT catalog_position FROM entitled.log_head").int64(0, 0)
        var positions = [current]
        let walk = try CatalogWalk(session)
        if !walk.isDone {
            let between = try session.query(
                CatalogWalk.catalogs,
                [.int8(walk.previousPosition), .int8(walk.catalogPosition)]
            )
            positions += try between.rows.map { try between.int64($0, 0) }.reversed() + [walk.previousPosition]
        }
        return try positions.map { try GenerationSwitch.catalog(at: $0 == 0 ? nil : $0, session) }
    }

    /// Where table `catalogs` differs from the log.
    static func catalogDifferences(
        _ positions: [Int64],
        upTo: Int64,
        _ session: PostgresSession
    ) throws -> [ProjectionDifference] {
        let found = try session.query(catalogs, [.int8Array(positions), .int8(upTo)])
        return try found.rows.map { row in
            ProjectionDifference(catalogAt: try found.int64(row, 0)).with(
                live: try found.bool(row, 1) ? "a catalog" : nil,
                replayed: try found.bool(row, 2) ? (try found.bool(row, 1) ? "another catalog" : "a catalog") : nil
            )
        }
    }

    /// Names the events behind differences.
    static func withEvents(
        _ differences: [ProjectionDifference],
        _ session: PostgresSession
    ) throws -> [ProjectionDifference] {
        try differences.map { difference in
            var difference = difference
            let limit = PostgresValue.int8(ProjectionReplay.eventLimit)
            let found: PostgresResult
            if let line = difference.line {
                found = try session.query(
                    eventsOfLine,
                    [.text(line.originalTransactionID), .text(line.environment.rawValue), limit]
                )
            } else if let account = difference.account, let environment = difference.environment {
                found = try session.query(
                    eventsOfAccount,
                    [.uuid(account.uuid), .text(environment.rawValue), limit]
                )
            } else {
                return difference
            }
            difference.events = try found.rows.map { try found.int64($0, 0) }
            return difference
        }
    }

    /// Names the accounts of differences.
    static func withAccounts(
        _ differences: [ProjectionDifference],
        _ session: PostgresSession
    ) throws -> [ProjectionDifference] {
        let accounts = try NameReader.accounts(Set(differences.compactMap(\.account)), session)
        return differences.map { difference in
            var difference = difference
            difference.account = difference.account.map { accounts[$0] ?? $0 }
            return difference
        }
    }
}
