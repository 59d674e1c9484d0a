import EntitlementDomain
import Postgres

/// Walks over the whole feed when a new catalog or a new policy has come into force: accounts whose answer the catalog
/// changed move to a new place, and every account learns when the clock may change it under the new rules.
///
/// How far the walk has come stands in table `feed_walk`, so any instance goes on where another one, or a crash, left it.
struct FeedWalk {
    /// The most accounts in one transaction.
    static let batch = 256

    let policy: Policy
    let catalogs: CatalogCache

    /// What one step did.
    struct Outcome: Sendable {
        /// The end of the feed; nil: nothing was written.
        var head: FeedPosition?
        var changes = 0
    }

    /// Row of table `feed_walk`, and the accounts that come next.
    private struct Leg {
        var catalogPosition: Int64
        var previousPosition: Int64
        var policy: String
        var since: Instant
        var isDone: Bool
        /// The catalog in force.
        var headCatalog: Int64
        /// How far the walk has come.
        var place: AppendPlan.AccountKey?
        var entries: [FeedEntry] = []

        func isSameStep(as other: Leg) -> Bool {
            catalogPosition == other.catalogPosition && policy == other.policy && since == other.since
                && isDone == other.isDone && place == other.place
        }
    }

    /// No parameters.
    private static let read = PreparedStatement(
        """
        SELECT w.catalog_position, w.previous_position, w.policy, w.since, w.is_done, h.catalog_position, w.account,
            w.environment
        FROM entitled.feed_walk w, entitled.log_head h
        """
    )

    /// $1 account or null, $2 environment or null, $3 limit.
    private static let next = PreparedStatement(
        """
        SELECT \(FeedEntry.columns) FROM entitled.feed f
        WHERE $1::uuid IS NULL OR (f.account, f.environment) > ($1::uuid, $2::text)
        ORDER BY f.account, f.environment LIMIT $3::bigint
        """
    )

    /// $1 catalog, $2 policy, $3 since when, at the latest. A walk that was not finished is begun again, and goes on to compare
    /// with what readers knew before it, and may have read since.
    private static let begin = PreparedStatement(
        """
        UPDATE entitled.feed_walk w SET
            previous_position = CASE WHEN w.is_done THEN w.catalog_position ELSE w.previous_position END,
            since = least(CASE WHEN w.is_done THEN NULL ELSE w.since END,
                (SELECT recorded_at FROM entitled.events WHERE position = $1::bigint AND w.catalog_position <> $1::bigint),
                $3::timestamptz),
            catalog_position = $1::bigint, policy = $2::text, account = NULL, environment = NULL, is_done = false
        """
    )

    /// $1 account, $2 environment, $3 whether it is done.
    private static let advance = PreparedStatement(
        "UPDATE entitled.feed_walk SET account = $1::uuid, environment = $2::text, is_done = $3::boolean"
    )

    /// Sees to it that the feed follows this instance's policy. To be called once, when the instance starts: two instances
    /// with different policies must not start each other's walk again and again.
    func adoptPolicy(at now: Instant, _ session: PostgresSession) throws {
        let text = policy.clockDescription
        guard try readLeg(session, withEntries: false).policy != text else { return }
        try beginWalk(policy: text, at: now, session)
    }

    /// Goes on by one batch; begins a walk when there is a new catalog.
    func step(at now: Instant, _ session: PostgresSession) throws -> Outcome {
        let leg = try session.transaction(.snapshot) { try readLeg($0, withEntries: true) }
        if leg.headCatalog != leg.catalogPosition {
            try beginWalk(policy: nil, at: now, session)
            return Outcome()
        }
        if leg.isDone { return Outcome() }
        let moves = try moves(of: leg, at: now, session)
        return try session.transaction { try write(moves, of: leg, $0) }
    }

    /// Begins a walk, for a policy or for a new catalog, unless another instance has begun it meanwhile.
    private func beginWalk(policy text: String?, at now: Instant, _ session: PostgresSession) throws {
        try session.transaction { session in
            let head = try FeedMoves.lock(session)
            let known = try readLeg(session, withEntries: false)
            if known.catalogPosition == head.catalogPosition, known.policy == text ?? known.policy { return }
            try session.query(
                Self.begin,
                [.int8(head.catalogPosition), .text(text ?? known.policy), .timestamptz(now.microseconds)]
            )
        }
    }

    private func readLeg(_ session: PostgresSession, withEntries: Bool) throws -> Leg {
        let row = try session.query(Self.read, [])
        guard !row.isEmpty else { throw StoreError.failed("table feed_walk has no row; the database is damaged") }
        var leg = Leg(
            catalogPosition: try row.int64(0, 0),
            previousPosition: try row.int64(0, 1),
            policy: try row.text(0, 2),
            since: Instant(microseconds: try row.timestamp(0, 3)),
            isDone: try row.bool(0, 4),
            headCatalog: try row.int64(0, 5)
        )
        if let account = try row.optionalUuid(0, 6) {
            leg.place = AppendPlan.AccountKey(
                environment: StoreEnvironment(rawValue: try row.text(0, 7)),
                account: AccountID(account)
            )
        }
        if withEntries, !leg.isDone, leg.headCatalog == leg.catalogPosition {
            let rows = try session.query(
                Self.next,
                [
                    leg.place.map { .uuid($0.account.uuid) } ?? .null,
                    leg.place.map { .text($0.environment.rawValue) } ?? .null, .int8(Int64(Self.batch)),
                ]
            )
            let since = leg.since
            leg.entries = try FeedEntry.read(rows, from: 0, answeringFrom: { _ in since }, session)
        }
        return leg
    }

    private func write(_ moves: [FeedMoves.Move], of leg: Leg, _ session: PostgresSession) throws -> Outcome {
        var outcome = Outcome()
        var head = try FeedMoves.lock(session)
        // Another instance has made this step, or there are new rules.
        guard head.catalogPosition == leg.catalogPosition, try readLeg(session, withEntries: false).isSameStep(as: leg)
        else { return outcome }
        let before = head.position
        let written = try FeedMoves.write(moves, &head, session)
        // A row that has changed meanwhile is looked at again: an append has read only a part of its account.
        let reached = moves.prefix { written.contains($0.entry.key) }
        let place = reached.last?.entry.key ?? leg.place
        let isDone = reached.count == moves.count && moves.count < Self.batch
        try session.query(
            Self.advance,
            [
                place.map { .uuid($0.account.uuid) } ?? .null,
                place.map { .text($0.environment.rawValue) } ?? .null, .bool(isDone),
            ]
        )
        outcome.changes = Int(head.position.ordinal - before.ordinal)
        outcome.head = head.position
        return outcome
    }

    /// The catalogs under which readers may have read an account: the one that all were told of, and those that came into
    /// force since and were replaced before the walk had ended.
    private func earlierCatalogs(_ leg: Leg, _ session: PostgresSession) throws -> Set<Catalog> {
        let range: [PostgresValue] = [.int8(leg.previousPosition), .int8(leg.catalogPosition)]
        let found = try session.query(CatalogWalk.catalogs, range)
        let positions = try [leg.previousPosition] + found.rows.map { try found.int64($0, 0) }
        return Set(
            try positions.filter { $0 != leg.catalogPosition }.map { try catalogs.document(at: $0, session).catalog }
        )
    }

    private func moves(of leg: Leg, at now: Instant, _ session: PostgresSession) throws -> [FeedMoves.Move] {
        let catalog = try catalogs.catalog(at: leg.catalogPosition, session).catalog
        let others = try earlierCatalogs(leg, session).subtracting([catalog])
        return leg.entries.map { entry in
            guard let account = entry.account else {
                return FeedMoves.Move(entry: entry, cause: nil, dueAt: entry.dueAt)
            }
            let answer = account.answer(at: leg.since, catalog: catalog, policy: policy)
            // Who reads of a change that came after the catalog reads the account under the new catalog.
            let isNews =
                entry.position < leg.catalogPosition
                && others.contains { other in
                    !answer.saysTheSame(as: account.answer(at: leg.since, catalog: other, policy: policy))
                }
            // What the clock brought since then under the old rules, readers know of.
            let told = max(leg.since, entry.changedAt ?? leg.since)
            var dueAt = account.answer(at: told, catalog: catalog, policy: policy).nextChangeAt
            // What is due by the old rules and was not looked at yet stays due.
            if let known = entry.dueAt, known <= now { dueAt = dueAt.map { min($0, known) } ?? known }
            return FeedMoves.Move(entry: entry, cause: isNews ? .event : nil, dueAt: dueAt)
        }
    }
}

extension Policy {
    /// The choices that decide when the clock changes an answer, as one line of text.
    var clockDescription: String {
        "refundAccess \(refundAccess.rawValue), renewalLeeway \(renewalLeeway), graceWithoutDate \(graceWithoutDate), "
            + "negativeBalance \(negativeBalance.rawValue)"
    }
}
