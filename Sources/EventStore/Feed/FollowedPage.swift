package import EntitlementDomain
import Postgres

/// A page of the change feed for a cache inside the service: besides the accounts that changed, it tells when everything may
/// have.
package struct FollowedPage: Sendable, Hashable {
    package var changes: [AccountChange]
    /// Where to go on.
    package var position: FeedPosition
    package var hasMore: Bool
    /// The end of the feed when the page was read.
    package var head: FeedPosition
    /// What else answers follow from: the catalog in force, the tables of the projections, which a rebuild replaces, and the
    /// last erasure: an account that was erased has no name to be told by.
    package var basis: Basis

    /// Under another basis all answers may be others.
    package struct Basis: Sendable, Hashable {
        var catalogPosition: Int64
        /// The id of table `lines`.
        var tables: Int64
        /// Where an account was last erased.
        var erasurePosition: Int64

        package init(catalogPosition: Int64, tables: Int64, erasurePosition: Int64 = 0) {
            self.catalogPosition = catalogPosition
            self.tables = tables
            self.erasurePosition = erasurePosition
        }
    }

    /// $1 position and $2 ordinal of the place to begin after, $3 limit. One statement, so that all of it is of one instant.
    ///
    /// The name is a subquery, so that it is looked up for each row: a plan that does not know the limit would join all names.
    /// That the head is one row is told by its own limit, also to a planner that has not seen the table yet.
    private static let statement = PreparedStatement(
        """
        SELECT h.epoch, h.position, h.feed_ordinal, h.catalog_position, 'entitled.lines'::regclass::oid::bigint,
            (SELECT n.account FROM entitled.account_names n WHERE n.pseudonym = f.account), f.environment, f.position,
            f.ordinal, h.erasure_position
        FROM (SELECT * FROM entitled.log_head LIMIT 1) h LEFT JOIN LATERAL (
            SELECT * FROM entitled.feed
            WHERE (position, ordinal) > ($1::bigint, $2::bigint) ORDER BY position, ordinal LIMIT $3::bigint
        ) f ON true
        ORDER BY f.position, f.ordinal
        """
    )

    /// - Parameter after: nil: no changes, only where the feed ends.
    static func read(after: FeedPosition?, limit: Int, _ session: PostgresSession) throws -> FollowedPage {
        let result = try session.query(
            statement,
            [
                .int8(after?.log.number ?? .max), .int8(after?.ordinal ?? 0), .int8(Int64(limit) + 1),
            ]
        )
        guard !result.isEmpty else { throw StoreError.failed("table log_head has no row; the database is damaged") }
        let log = LogPosition(epoch: Int(try result.int32(0, 0)), number: try result.int64(0, 1))
        let head = FeedPosition(log, ordinal: try result.int64(0, 2))
        var page = FollowedPage(
            changes: [],
            position: head,
            hasMore: result.rowCount > limit,
            head: head,
            basis: Basis(
                catalogPosition: try result.int64(0, 3),
                tables: try result.int64(0, 4),
                erasurePosition: try result.int64(0, 9)
            )
        )
        for row in result.rows.prefix(limit) where try !result.isNull(row, 7) {
            let position = LogPosition(epoch: log.epoch, number: try result.int64(row, 7))
            if let account = try result.optionalUuid(row, 5) {
                page.changes.append(
                    AccountChange(
                        account: AccountID(account),
                        environment: StoreEnvironment(rawValue: try result.text(row, 6)),
                        position: position
                    )
                )
            }
            if page.hasMore { page.position = FeedPosition(position, ordinal: try result.int64(row, 8)) }
        }
        return page
    }
}

extension PostgresEventStore {
    /// The changes after a place, without waiting and without the clock's own work; nil: only where the feed ends.
    package func follow(after place: FeedPosition?, limit: Int = 1_000) async throws(StoreError) -> FollowedPage {
        do {
            return try await following.run { try FollowedPage.read(after: place, limit: limit, $0) }
        } catch {
            throw StoreError(error)
        }
    }

    /// Waits until this instance hears that the feed has gone on, or the time is over.
    package func waitForChanges(after place: FeedPosition, upTo limit: Duration) async {
        await keeper.watch.wait(until: ContinuousClock.now.advanced(by: limit)) { $0 > place }
    }
}
