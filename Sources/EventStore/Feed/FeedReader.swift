import EntitlementDomain
import Postgres

/// Reads the change feed.
enum FeedReader {
    /// $1 position and $2 ordinal of the place to begin after, $3 environment or null, $4 limit. One statement, so that
    /// changes and head are of one instant. The name is a subquery as in `FollowedPage`.
    private static let page = PreparedStatement(
        """
        SELECT h.epoch, h.position, h.feed_ordinal, (SELECT min(due_at) FROM entitled.feed),
            (SELECT n.account FROM entitled.account_names n WHERE n.pseudonym = f.account), f.environment, f.position,
            f.ordinal, f.changed_at
        FROM (SELECT * FROM entitled.log_head LIMIT 1) h LEFT JOIN LATERAL (
            SELECT * FROM entitled.feed
            WHERE (position, ordinal) > ($1::bigint, $2::bigint)
                AND ($3::text IS NULL OR environment = $3::text)
            ORDER BY position, ordinal LIMIT $4::bigint
        ) f ON true
        ORDER BY f.position, f.ordinal
        """
    )

    /// The end of the feed.
    struct Head: Sendable, Hashable {
        var position: FeedPosition
        /// When the clock may bring the next change of any account.
        var dueAt: Instant?
        /// Whether the walk over the feed has work to do.
        var needsWalk: Bool
    }

    /// No parameters.
    private static let head = PreparedStatement(
        """
        SELECT h.epoch, h.position, h.feed_ordinal, (SELECT min(due_at) FROM entitled.feed),
            NOT w.is_done OR w.catalog_position <> h.catalog_position
        FROM entitled.log_head h, entitled.feed_walk w
        """
    )

    /// - Throws: `positionNotReached` for a place of another epoch, and for one that is not there yet.
    static func page(_ query: FeedQuery, _ session: PostgresSession) throws -> FeedPage {
        let result = try session.query(
            Self.page,
            [
                .int8(query.after?.log.number ?? -1), .int8(query.after?.ordinal ?? 0),
                query.environment.map { .text($0.rawValue) } ?? .null, .int8(Int64(query.limit) + 1),
            ]
        )
        let (head, dueAt) = try readHead(result)
        if let after = query.after {
            let isOtherEpoch = after.log.epoch != head.log.epoch
            if isOtherEpoch || after > head {
                throw StoreError.positionNotReached(isEpochChanged: isOtherEpoch, current: head.log)
            }
        }
        var changes: [FeedChange] = []
        var last = head
        for row in result.rows.prefix(query.limit) where try !result.isNull(row, 6) {
            last = try position(result, row, epoch: head.log.epoch)
            // An account that was erased has no name to be told by.
            if let account = try result.optionalUuid(row, 4) {
                changes.append(try change(AccountID(account), result, row, at: last))
            }
        }
        let hasMore = result.rowCount > query.limit
        return FeedPage(
            changes: changes,
            position: hasMore ? last : head,
            hasMore: hasMore,
            head: head,
            dueAt: dueAt
        )
    }

    static func head(_ session: PostgresSession) throws -> Head {
        let result = try session.query(head, [])
        let (position, dueAt) = try readHead(result)
        return Head(position: position, dueAt: dueAt, needsWalk: try result.bool(0, 4))
    }

    private static func readHead(_ result: PostgresResult) throws -> (FeedPosition, dueAt: Instant?) {
        guard !result.isEmpty else { throw StoreError.failed("table log_head has no row; the database is damaged") }
        let log = LogPosition(epoch: Int(try result.int32(0, 0)), number: try result.int64(0, 1))
        let dueAt = try result.optionalTimestamp(0, 3).map(Instant.init(microseconds:))
        return (FeedPosition(log, ordinal: try result.int64(0, 2)), dueAt)
    }

    private static func position(_ result: PostgresResult, _ row: Int, epoch: Int) throws -> FeedPosition {
        let log = LogPosition(epoch: epoch, number: try result.int64(row, 6))
        return FeedPosition(log, ordinal: try result.int64(row, 7))
    }

    private static func change(
        _ account: AccountID,
        _ result: PostgresResult,
        _ row: Int,
        at position: FeedPosition
    ) throws -> FeedChange {
        let changedAt = try result.optionalTimestamp(row, 8).map(Instant.init(microseconds:))
        return FeedChange(
            account: account,
            environment: StoreEnvironment(rawValue: try result.text(row, 5)),
            position: position,
            cause: changedAt.map { .clock(at: $0) } ?? .event
        )
    }
}
