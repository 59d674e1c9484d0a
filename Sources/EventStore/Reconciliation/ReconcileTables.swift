import EntitlementDomain
import Postgres

/// The SQL of the tables about reconciliation.
enum ReconcileTables {
    // The lease goes to whoever has it, or to the first who asks when it is over. An hour that has begun counts anew.
    private static let take = PreparedStatement(
        """
        INSERT INTO entitled.reconcile_lease AS l (holder, until, hour, calls)
        VALUES ($1::text, now() + $2::bigint * interval '1 millisecond', $3::timestamptz, 0)
        ON CONFLICT (singleton) DO UPDATE SET
            holder = excluded.holder, until = excluded.until, hour = greatest(l.hour, excluded.hour),
            calls = CASE WHEN l.hour >= excluded.hour THEN l.calls ELSE 0 END
            WHERE l.until < now() OR l.holder = excluded.holder
        RETURNING hour, calls
        """
    )

    private static let keep = PreparedStatement(
        """
        UPDATE entitled.reconcile_lease
        SET until = now() + $2::bigint * interval '1 millisecond', hour = $3::timestamptz, calls = $4::bigint
        WHERE holder = $1::text AND until >= now()
        """
    )

    private static let giveBack = PreparedStatement(
        """
        UPDATE entitled.reconcile_lease SET until = '-infinity', hour = $2::timestamptz, calls = $3::bigint
        WHERE holder = $1::text
        """
    )

    private static let cursor = PreparedStatement(
        """
        SELECT fetched_until, epoch, everything_at, failures_at FROM entitled.reconcile_cursors
        WHERE environment = $1::text AND bundle_id = $2::text
        """
    )

    private static let setCursor = PreparedStatement(
        """
        INSERT INTO entitled.reconcile_cursors
            (environment, bundle_id, fetched_until, epoch, everything_at, failures_at)
        VALUES ($1::text, $2::text, $3::timestamptz, $4::integer, $5::timestamptz, $6::timestamptz)
        ON CONFLICT (environment, bundle_id) DO UPDATE SET
            fetched_until = excluded.fetched_until, epoch = excluded.epoch, everything_at = excluded.everything_at,
            failures_at = excluded.failures_at
        """
    )

    // From the end of the log: the last notification is near it wherever notifications arrive at all.
    private static let lastNotification = PreparedStatement(
        """
        SELECT signed_at FROM entitled.events
        WHERE source = 'notification' AND environment = $1::text AND bundle_id = $2::text AND signed_at IS NOT NULL
        ORDER BY position DESC LIMIT 1
        """
    )

    private static let placeColumns = "l.line_id, l.environment, l.bundle_id, l.store, l.ownership"

    /// $1...$5 the line to start behind, $6 the most lines -> lines with when they were asked about.
    private static let lines = PreparedStatement(
        """
        SELECT \(LineRow.columns), a.asked_at, a.tries
        FROM entitled.lines l LEFT JOIN entitled.reconcile_lines a USING (line_id, environment, bundle_id, store, ownership)
        WHERE (\(placeColumns)) > ($1::text, $2::text, $3::text, $4::text, $5::text)
        ORDER BY \(placeColumns) LIMIT $6::bigint
        """
    )

    private static let asked = PreparedStatement(
        """
        INSERT INTO entitled.reconcile_lines AS a (line_id, environment, bundle_id, store, ownership, asked_at, tries)
        VALUES ($1::text, $2::text, $3::text, $4::text, $5::text, $6::timestamptz, 1)
        ON CONFLICT (line_id, environment, bundle_id, store, ownership) DO UPDATE SET
            asked_at = excluded.asked_at, tries = a.tries + 1
        """
    )

    static func take(holder: String, milliseconds: Int64, hour: Instant, _ session: PostgresSession) throws
        -> ReconcileLease?
    {
        let result = try session.query(
            take,
            [.text(holder), .int8(milliseconds), .timestamptz(hour.microseconds)]
        )
        guard result.rows.count > 0 else { return nil }
        return ReconcileLease(
            holder: holder,
            hour: Instant(microseconds: try result.timestamp(0, 0)),
            calls: try result.int64(0, 1)
        )
    }

    static func keep(_ lease: ReconcileLease, milliseconds: Int64, _ session: PostgresSession) throws -> Bool {
        try session.query(
            keep,
            [.text(lease.holder), .int8(milliseconds), .timestamptz(lease.hour.microseconds), .int8(lease.calls)]
        ).affectedRowCount > 0
    }

    static func giveBack(_ lease: ReconcileLease, _ session: PostgresSession) throws {
        _ = try session.query(
            giveBack,
            [.text(lease.holder), .timestamptz(lease.hour.microseconds), .int8(lease.calls)]
        )
    }

    static func cursor(_ environment: StoreEnvironment, _ bundleID: String, _ session: PostgresSession) throws
        -> ReconcileCursor?
    {
        let result = try session.query(cursor, [.text(environment.rawValue), .text(bundleID)])
        guard result.rows.count > 0 else { return nil }
        return ReconcileCursor(
            environment: environment,
            bundleID: bundleID,
            fetchedUntil: Instant(microseconds: try result.timestamp(0, 0)),
            epoch: Int(try result.int32(0, 1)),
            everythingAt: try result.optionalTimestamp(0, 2).map(Instant.init(microseconds:)),
            failuresAt: try result.optionalTimestamp(0, 3).map(Instant.init(microseconds:))
        )
    }

    static func set(_ cursor: ReconcileCursor, _ session: PostgresSession) throws {
        _ = try session.query(
            setCursor,
            [
                .text(cursor.environment.rawValue), .text(cursor.bundleID),
                .timestamptz(cursor.fetchedUntil.microseconds), .int4(Int32(clamping: cursor.epoch)),
                cursor.everythingAt.map { .timestamptz($0.microseconds) } ?? .null,
                cursor.failuresAt.map { .timestamptz($0.microseconds) } ?? .null,
            ]
        )
    }

    static func lastNotification(_ environment: StoreEnvironment, _ bundleID: String, _ session: PostgresSession) throws
        -> Instant?
    {
        let result = try session.query(lastNotification, [.text(environment.rawValue), .text(bundleID)])
        guard result.rows.count > 0 else { return nil }
        return Instant(microseconds: try result.timestamp(0, 0))
    }

    static func lines(after id: LineID?, limit: Int, _ session: PostgresSession) throws -> [(LineState, AskedLine?)] {
        let result = try session.query(lines, place(id) + [.int8(Int64(limit))])
        return try result.rows.map { row in
            let asked = try result.optionalTimestamp(row, 6).map {
                AskedLine(at: Instant(microseconds: $0), tries: Int(try result.int32(row, 7)))
            }
            return (try LineRow.read(result, row), asked)
        }
    }

    static func noteAsked(_ id: LineID, at instant: Instant, _ session: PostgresSession) throws {
        _ = try session.query(asked, place(id) + [.timestamptz(instant.microseconds)])
    }

    private static func place(_ id: LineID?) -> [PostgresValue] {
        [
            .text(id?.originalTransactionID ?? ""), .text(id?.environment.rawValue ?? ""), .text(id?.bundleID ?? ""),
            .text(id?.store.rawValue ?? ""), .text(id?.ownership.rawValue ?? ""),
        ]
    }
}
