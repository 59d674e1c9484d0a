import EntitlementDomain
import Postgres

/// Brings into the feed what the clock alone has changed: looks at accounts that are due, and moves those whose answer
/// changed to a new place.
///
/// Any number of instances may do this at the same time: what is read without a lock is written only over rows that are still
/// as they were read. A crash leaves accounts due, and the next one to look finds them.
struct ClockWork {
    /// The most accounts in one transaction.
    static let batch = 256
    /// When to look again at an account that cannot be read.
    private static let retryMilliseconds: Int64 = 60_000

    let policy: Policy
    let catalogs: CatalogCache

    /// What one run did.
    struct Outcome: Sendable {
        /// The end of the feed; nil: nothing was written.
        var head: FeedPosition?
        /// Accounts that were moved to a new place.
        var changes = 0
        /// Accounts that cannot be read; they are tried again later.
        var failures = 0
        /// Whether more accounts may be due.
        var hasMore = false
    }

    /// $1 instant, $2 limit.
    private static let findDue = PreparedStatement(
        """
        SELECT h.catalog_position, \(FeedEntry.columns) FROM entitled.log_head h, entitled.feed f
        WHERE f.due_at <= $1::timestamptz ORDER BY f.due_at LIMIT $2::bigint
        """
    )

    /// Looks at the accounts that are due at an instant, the longest due first.
    func run(at now: Instant, _ session: PostgresSession) throws -> Outcome {
        let (due, catalogPosition) = try session.transaction(.snapshot) { session in
            let rows = try session.query(
                Self.findDue,
                [.timestamptz(now.microseconds), .int8(Int64(Self.batch))]
            )
            return (
                try FeedEntry.read(rows, from: 1, answeringFrom: ClockLook.start, session),
                rows.isEmpty ? 0 : try rows.int64(0, 0)
            )
        }
        var outcome = Outcome()
        if due.isEmpty { return outcome }
        let catalog = try catalogs.catalog(at: catalogPosition, session).catalog
        let moves = due.map { entry in
            guard let account = entry.account, let dueAt = entry.dueAt else {
                outcome.failures += 1
                let later = now.advanced(byMilliseconds: Self.retryMilliseconds)
                return FeedMoves.Move(entry: entry, cause: nil, dueAt: later)
            }
            let look = ClockLook(account, catalog: catalog, policy: policy, from: dueAt, to: now)
            return FeedMoves.Move(entry: entry, cause: look.changedAt.map { .clock(at: $0) }, dueAt: look.dueAt)
        }
        try session.transaction { session in
            var head = try FeedMoves.lock(session)
            // Another catalog has other instants; the accounts stay due.
            guard head.catalogPosition == catalogPosition else {
                outcome.hasMore = true
                return
            }
            let before = head.position
            let written = try FeedMoves.write(moves, &head, session)
            outcome.changes = Int(head.position.ordinal - before.ordinal)
            outcome.head = head.position
            // When others were quicker with all of them, there is no hurry.
            outcome.hasMore = due.count == Self.batch && !written.isEmpty
        }
        return outcome
    }
}
