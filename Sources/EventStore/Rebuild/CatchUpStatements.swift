import Postgres

/// The SQL that brings a new generation up to the log's head.
enum CatchUpStatements {
    private static let schema = GenerationTables.schema

    /// $1 after, $2 up to.
    static let changedLines = PreparedStatement(
        """
        SELECT DISTINCT line_id, environment FROM entitled.events
        WHERE position > $1::bigint AND position <= $2::bigint AND line_id IS NOT NULL
        """
    )

    /// $1 after, $2 up to.
    static let changedAccounts = PreparedStatement(
        """
        SELECT DISTINCT account, environment FROM entitled.events
        WHERE position > $1::bigint AND position <= $2::bigint AND line_id IS NULL AND account IS NOT NULL
        """
    )

    /// $1 after, $2 up to.
    static let newCatalogs = PreparedStatement(
        """
        SELECT position FROM entitled.events
        WHERE position > $1::bigint AND position <= $2::bigint AND type = 'CatalogChanged' ORDER BY position
        """
    )

    /// $1 original transaction ids, $2 environments, $3 up to.
    static let eventsOfLines = PreparedStatement(
        """
        SELECT \(EventRecord.foldColumns) FROM unnest($1::text[], $2::text[]) AS k (line_id, environment)
        JOIN entitled.events e ON e.line_id = k.line_id AND e.environment = k.environment
        WHERE e.position <= $3::bigint ORDER BY e.position
        """
    )

    /// $1 accounts, $2 environments, $3 up to.
    static let eventsOfAccounts = PreparedStatement(
        """
        SELECT \(EventRecord.foldColumns) FROM unnest($1::uuid[], $2::text[]) AS k (account, environment)
        JOIN entitled.events e ON e.account = k.account AND e.environment = k.environment
        WHERE e.line_id IS NULL AND e.position <= $3::bigint ORDER BY e.position
        """
    )

    /// $1 original transaction ids, $2 environments.
    static let dropLines = ["lines", "line_history", "former_owners", "entitlements"].map { table in
        PreparedStatement(
            """
            DELETE FROM \(schema).\(table) t USING unnest($1::text[], $2::text[]) AS k (line_id, environment)
            WHERE t.line_id = k.line_id AND t.environment = k.environment
            """
        )
    }

    /// $1 environments, $2 accounts, $3 positions, $4 states.
    static let upsertAccounts = PreparedStatement(
        """
        INSERT INTO \(schema).accounts (environment, account, position, state)
        SELECT * FROM unnest($1::text[], $2::uuid[], $3::bigint[], $4::bytea[])
        ON CONFLICT (account, environment)
        DO UPDATE SET position = excluded.position, state = excluded.state
        """
    )

    /// $1...$5 the line to start behind, in the order of the primary key, $6 the most lines.
    static let linesAfter = PreparedStatement(
        """
        SELECT \(LineRow.columns) FROM \(schema).lines l
        WHERE (l.line_id, l.environment, l.bundle_id, l.store, l.ownership)
            > ($1::text, $2::text, $3::text, $4::text, $5::text)
        ORDER BY l.line_id, l.environment, l.bundle_id, l.store, l.ownership LIMIT $6::bigint
        """
    )

    /// $1 positions -> nothing: table catalogs holds these catalogs, as the log has them, and no others.
    static let restoreCatalogs = [
        PreparedStatement("DELETE FROM entitled.catalogs WHERE position <> ALL ($1::bigint[])"),
        PreparedStatement(
            """
            INSERT INTO entitled.catalogs AS c (position, catalog)
            SELECT position, payload FROM entitled.events WHERE position = ANY ($1::bigint[])
            ON CONFLICT (position) DO UPDATE SET catalog = excluded.catalog WHERE c.catalog <> excluded.catalog
            """
        ),
    ]

    /// An empty list of the accounts that will have other facts than before; one may be in it more than once.
    static let makeChanged = """
        DROP TABLE IF EXISTS \(schema).changed;
        CREATE TABLE \(schema).changed (account uuid NOT NULL, environment text NOT NULL)
        """

    /// Add those accounts, and those that the change feed does not have: an event that comes later brings its accounts into
    /// the feed itself. Each statement reads other tables, so they are run side by side.
    static let noteChanged = [
        """
        SELECT unnest(ARRAY[n.owner, l.owner]) AS account, environment
        FROM \(schema).lines n
        FULL JOIN entitled.lines l USING (line_id, environment, bundle_id, store, ownership)
        WHERE n.owner IS DISTINCT FROM l.owner OR n.state IS DISTINCT FROM l.state
        """,
        """
        SELECT unnest(ARRAY[n.owner, l.owner]), environment
        FROM (
            SELECT DISTINCT line_id, environment, bundle_id, store, ownership
            FROM \(schema).line_history n FULL JOIN entitled.line_history h
                USING (line_id, environment, bundle_id, store, ownership, transaction_id)
            WHERE n.state IS DISTINCT FROM h.state
        ) d
        LEFT JOIN \(schema).lines n USING (line_id, environment, bundle_id, store, ownership)
        LEFT JOIN entitled.lines l USING (line_id, environment, bundle_id, store, ownership)
        """,
        """
        SELECT account, environment
        FROM \(schema).accounts n FULL JOIN entitled.accounts a USING (account, environment)
        WHERE n.state IS DISTINCT FROM a.state
        """,
        """
        SELECT account, environment FROM (
            SELECT owner AS account, environment FROM \(schema).lines
            UNION ALL SELECT account, environment FROM \(schema).former_owners
            UNION ALL SELECT account, environment FROM \(schema).accounts
        ) n
        WHERE NOT EXISTS (SELECT FROM entitled.feed f WHERE f.account = n.account AND f.environment = n.environment)
        """,
    ].map { accounts in
        """
        SET work_mem = '64MB';
        INSERT INTO \(schema).changed (account, environment)
        SELECT account, environment FROM (\(accounts)) c (account, environment) WHERE account IS NOT NULL;
        RESET work_mem
        """
    }

    /// Gives those accounts new places in the change feed, so that whoever follows it reads them again.
    static let moveChanged = """
        WITH moved AS (
            SELECT account, environment, row_number() OVER (ORDER BY account, environment) AS number
            FROM (SELECT DISTINCT account, environment FROM \(schema).changed) c
        ), placed AS (
            INSERT INTO entitled.feed AS f (account, environment, position, ordinal, due_at)
            SELECT m.account, m.environment, h.position, h.feed_ordinal + m.number,
                date_trunc('milliseconds', now())
            FROM moved m, entitled.log_head h
            ON CONFLICT (account, environment)
            DO UPDATE SET position = excluded.position, ordinal = excluded.ordinal, changed_at = NULL,
                due_at = least(f.due_at, excluded.due_at)
        )
        UPDATE entitled.log_head SET feed_ordinal = feed_ordinal + (SELECT count(*) FROM moved)
        """

    /// $1 position of the catalog in force, which all rows of the new generation follow.
    static let endCatalogWalk = PreparedStatement(
        """
        UPDATE entitled.catalog_walk SET catalog_position = $1::bigint, previous_position = $1::bigint, is_done = true,
            line_id = '', environment = '', bundle_id = '', store = '', ownership = ''
        """
    )

    /// $1 position of a CatalogChanged event.
    static let catalogOfEvent = PreparedStatement("SELECT payload FROM entitled.events WHERE position = $1::bigint")
}
