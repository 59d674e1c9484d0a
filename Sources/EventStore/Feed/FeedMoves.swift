import EntitlementDomain
import Postgres

/// Writes to the feed what the clock's work found. Like every writer of the feed it holds the log's lock, so places are given
/// in commit order and writers never wait for each other's rows.
struct FeedMoves {
    /// What becomes of one row.
    struct Move {
        /// The row as it was read. It is left alone when it has changed since.
        var entry: FeedEntry
        /// Nil: it keeps its place.
        var cause: FeedChange.Cause?
        var dueAt: Instant?
    }

    /// The log's head under the lock.
    struct Head {
        var position: FeedPosition
        var catalogPosition: Int64
    }

    private static let lockHead = PreparedStatement(
        "SELECT epoch, position, feed_ordinal, catalog_position FROM entitled.log_head FOR UPDATE"
    )

    /// Instants have milliseconds, so times are compared to the millisecond.
    ///
    /// $1 accounts, $2 environments, $3 positions, $4 ordinals and $5 times as they were read; $6 new ordinals, null: keeps its
    /// place; $7 instants of changes by the clock, $8 when to look again, $9 the log's position.
    private static let move = PreparedStatement(
        """
        UPDATE entitled.feed f SET
            position = CASE WHEN k.ordinal IS NULL THEN f.position ELSE $9::bigint END,
            ordinal = coalesce(k.ordinal, f.ordinal),
            changed_at = CASE WHEN k.ordinal IS NULL THEN f.changed_at ELSE k.changed_at END,
            due_at = k.due_at
        FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::timestamptz[], $6::bigint[],
            $7::timestamptz[], $8::timestamptz[])
            AS k (account, environment, seen_position, seen_ordinal, seen_due_at, ordinal, changed_at, due_at)
        WHERE f.account = k.account AND f.environment = k.environment AND f.position = k.seen_position
            AND f.ordinal = k.seen_ordinal
            AND date_trunc('milliseconds', f.due_at) IS NOT DISTINCT FROM k.seen_due_at
        RETURNING f.account, f.environment, f.ordinal, k.ordinal IS NOT NULL
        """
    )

    /// $1 ordinal.
    private static let moveHead = PreparedStatement("UPDATE entitled.log_head SET feed_ordinal = $1::bigint")

    /// Takes the log's lock to the end of the transaction.
    static func lock(_ session: PostgresSession) throws -> Head {
        // A fail-over may have rewound the log, and no append may have noticed yet.
        _ = try session.query(AppendStatements.noteTimeline, [])
        let result = try session.query(lockHead, [])
        guard !result.isEmpty else { throw StoreError.failed("table log_head has no row; the database is damaged") }
        let log = LogPosition(epoch: Int(try result.int32(0, 0)), number: try result.int64(0, 1))
        return Head(
            position: FeedPosition(log, ordinal: try result.int64(0, 2)),
            catalogPosition: try result.int64(0, 3)
        )
    }

    /// Writes moves under the lock.
    ///
    /// - Parameter head: moved to the last place that was given.
    /// - Returns: the accounts whose rows had not changed since they were read, and so are written.
    static func write(
        _ moves: [Move],
        _ head: inout Head,
        _ session: PostgresSession
    ) throws -> Set<AppendPlan.AccountKey> {
        if moves.isEmpty { return [] }
        let first = head.position.ordinal
        var next = first
        let ordinals = moves.map { move in
            if move.cause == nil { return nil as Int64? }
            next += 1
            return next
        }
        let result = try session.query(
            move,
            [
                .uuidArray(moves.map(\.entry.key.account.uuid)),
                .textArray(moves.map(\.entry.key.environment.rawValue)),
                .int8Array(moves.map(\.entry.position)), .int8Array(moves.map(\.entry.ordinal)),
                .timestamptzArray(moves.map { $0.entry.dueAt?.microseconds }), .int8Array(ordinals),
                .timestamptzArray(moves.map(\.changedAt?.microseconds)),
                .timestamptzArray(moves.map { $0.dueAt?.microseconds }), .int8(head.position.log.number),
            ]
        )
        var written: Set<AppendPlan.AccountKey> = []
        for row in result.rows {
            written.insert(
                AppendPlan.AccountKey(
                    environment: StoreEnvironment(rawValue: try result.text(row, 1)),
                    account: AccountID(try result.uuid(row, 0))
                )
            )
            if try result.bool(row, 3) { head.position.ordinal = max(head.position.ordinal, try result.int64(row, 2)) }
        }
        if head.position.ordinal > first { try session.query(moveHead, [.int8(head.position.ordinal)]) }
        return written
    }
}

extension FeedMoves.Move {
    fileprivate var changedAt: Instant? {
        if case .clock(let instant)? = cause { instant } else { nil }
    }
}
