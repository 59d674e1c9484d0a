import Postgres

/// The SQL of the append path, one statement for one purpose.
enum AppendStatements {
    /// Raises the epoch when PostgreSQL's timeline is not the one the log was last written on. No parameters.
    static let noteTimeline = PreparedStatement(
        """
        WITH current AS (
            SELECT ('x' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(32)::integer AS timeline
        )
        UPDATE entitled.log_head h
        SET epoch = h.epoch + CASE WHEN h.timeline = 0 THEN 0 ELSE 1 END, timeline = current.timeline
        FROM current WHERE h.timeline <> current.timeline
        """
    )

    /// Takes the log's lock to the end of the transaction. No parameters.
    static let lockHead = PreparedStatement(
        "SELECT epoch, position, hash, catalog_position, recorded_at, feed_ordinal FROM entitled.log_head FOR UPDATE"
    )

    /// $1 statement ids -> those that are in the log.
    static let findStatements = PreparedStatement(
        "SELECT statement_id FROM entitled.statements WHERE statement_id = ANY($1::bytea[])"
    )

    /// $1 digests -> those that are stored.
    static let findEvidence = PreparedStatement("SELECT digest FROM entitled.evidence WHERE digest = ANY($1::bytea[])")

    /// $1...$5 line keys (`LineKeys`) -> the lines that exist.
    static let findLines = PreparedStatement(
        """
        SELECT \(LineRow.columns) FROM unnest(\(LineKeys.types)) AS k (\(LineKeys.columns))
        JOIN entitled.lines l USING (\(LineKeys.columns))
        """
    )

    /// How many positions a partition of `events` holds (schema.sql, ensure_events_partition).
    static let positionsPerPartition: Int64 = 1 << 24

    /// The number of the partition that a position lies in.
    static func partition(of position: Int64) -> Int64 { position / positionsPerPartition }

    /// $1 a position, whose partition is made unless it exists.
    static let ensurePartition = PreparedStatement("SELECT entitled.ensure_events_partition($1::bigint)")

    /// The constraints that are violated when evidence is stored twice, or a statement noted twice.
    private static let keysOfKnown: Set = ["evidence_pkey", "statements_pkey"]

    /// Whether the database refused something because it is stored already.
    static func tellsOfKnown(_ error: any Error) -> Bool {
        PostgresError.underlying(error)?.constraint.map(keysOfKnown.contains) ?? false
    }

    /// $1 digests, $2 stored forms.
    static let insertEvidence = PreparedStatement(
        "INSERT INTO entitled.evidence (digest, content) SELECT * FROM unnest($1::bytea[], $2::bytea[])"
    )

    /// $1 ids, $2 chains.
    static let insertChains = PreparedStatement(
        """
        INSERT INTO entitled.certificate_chains (chain_id, content) SELECT * FROM unnest($1::bytea[], $2::bytea[])
        ON CONFLICT DO NOTHING
        """
    )

    /// $1 statement ids, $2 positions.
    static let insertStatements = PreparedStatement(
        "INSERT INTO entitled.statements (statement_id, position) SELECT * FROM unnest($1::bytea[], $2::bigint[])"
    )

    /// $1...$5 keys of lines without a row, $6 owners, $7 positions, $8 states. Who holds the log's lock knows which lines
    /// have none, and a plain insertion costs one look into the index less than one that asks.
    static let insertLines = PreparedStatement(
        """
        INSERT INTO entitled.lines (\(LineKeys.columns), owner, position, state)
        SELECT * FROM unnest(\(LineKeys.types), $6::uuid[], $7::bigint[], $8::bytea[])
        """
    )

    /// $1...$5 keys of lines that have a row, $6 owners, $7 positions, $8 states.
    static let updateLines = PreparedStatement(
        """
        UPDATE entitled.lines l SET owner = k.owner, position = k.position, state = k.state
        FROM unnest(\(LineKeys.types), $6::uuid[], $7::bigint[], $8::bytea[])
            AS k (\(LineKeys.columns), owner, position, state)
        WHERE (l.line_id, l.environment, l.bundle_id, l.store, l.ownership)
            = (k.line_id, k.environment, k.bundle_id, k.store, k.ownership)
        """
    )

    /// $1...$5 line keys, $6 entitlements.
    static let deleteEntitlements = PreparedStatement(
        """
        DELETE FROM entitled.entitlements e
        USING unnest(\(LineKeys.types), $6::text[]) AS k (\(LineKeys.columns), entitlement)
        WHERE (e.line_id, e.environment, e.bundle_id, e.store, e.ownership, e.entitlement)
            = (k.line_id, k.environment, k.bundle_id, k.store, k.ownership, k.entitlement)
        """
    )

    /// $1...$5 line keys, $6 entitlements, $7 products, $8 starts, $9 ends of access, $10 ends of paid time,
    /// $11 revocations.
    static let upsertEntitlements = PreparedStatement(
        """
        \(insertion)
        ON CONFLICT (line_id, environment, bundle_id, store, ownership, entitlement)
        DO UPDATE SET product_id = excluded.product_id, starts_at = excluded.starts_at,
            access_ends_at = excluded.access_ends_at, expires_at = excluded.expires_at,
            revoked_at = excluded.revoked_at
        """
    )

    /// The same for lines that have no rows.
    static let insertEntitlements = PreparedStatement(insertion)

    private static let insertion = """
        INSERT INTO entitled.entitlements
            (\(LineKeys.columns), entitlement, product_id, starts_at, access_ends_at, expires_at, revoked_at)
        SELECT * FROM unnest(\(LineKeys.types), $6::text[], $7::text[], $8::timestamptz[], $9::timestamptz[],
            $10::timestamptz[], $11::timestamptz[])
        """

    /// $1 environments, $2 accounts, $3 positions, $4 states.
    static let upsertAccounts = PreparedStatement(
        """
        INSERT INTO entitled.accounts (environment, account, position, state)
        SELECT * FROM unnest($1::text[], $2::uuid[], $3::bigint[], $4::bytea[])
        ON CONFLICT (account, environment)
        DO UPDATE SET position = excluded.position, state = excluded.state
        """
    )

    /// $1 position, $2 catalog.
    static let insertCatalog = PreparedStatement(
        "INSERT INTO entitled.catalogs (position, catalog) VALUES ($1::bigint, $2::jsonb)"
    )

    /// $1...$5 line keys, $6 accounts that have lost them.
    static let insertFormerOwners = PreparedStatement(
        """
        INSERT INTO entitled.former_owners (\(LineKeys.columns), account)
        SELECT * FROM unnest(\(LineKeys.types), $6::uuid[]) ON CONFLICT DO NOTHING
        """
    )

    /// $1 position, $2 hash, $3 position of a new catalog or 0, $4 time of recording, $5 ordinal of the feed's
    /// last place, $6 whether accounts were erased.
    static let moveHead = PreparedStatement(
        """
        UPDATE entitled.log_head
        SET position = $1::bigint, hash = $2::bytea, catalog_position = greatest(catalog_position, $3::bigint),
            recorded_at = $4::timestamptz, feed_ordinal = $5::bigint,
            erasure_position = CASE WHEN $6::boolean THEN $1::bigint ELSE erasure_position END
        """
    )
}
