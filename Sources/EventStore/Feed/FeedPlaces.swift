import EntitlementDomain
import Postgres

/// The places in the change feed that a group of appends gives the accounts it changed.
struct FeedPlaces {
    /// A row of table `feed`.
    struct Row: Hashable {
        var key: AppendPlan.AccountKey
        var position: Int64
        var ordinal: Int64
        var dueAt: Instant?
    }

    /// The accounts that have no place yet: they got their names in the group.
    private let new: Set<AccountID>
    /// In the order of the feed.
    private(set) var rows: [Row] = []
    /// The ordinal of the last place under the group's last position; 0 without one.
    private(set) var lastOrdinal: Int64 = 0

    /// $1 accounts, $2 environments, $3 positions, $4 ordinals, $5 when to look. An earlier time that is known stays: it may
    /// be that of a line which the group did not read.
    private static let upsert = PreparedStatement(
        """
        \(insertion)
        ON CONFLICT (account, environment)
        DO UPDATE SET position = excluded.position, ordinal = excluded.ordinal, changed_at = NULL,
            due_at = least(f.due_at, excluded.due_at)
        """
    )

    private static let insert = PreparedStatement(insertion)

    private static let insertion = """
        INSERT INTO entitled.feed AS f (account, environment, position, ordinal, due_at)
        SELECT * FROM unnest($1::uuid[], $2::text[], $3::bigint[], $4::bigint[], $5::timestamptz[])
        """

    /// - Parameter instant: the service's time before the group was written: readers may have asked since then.
    init(_ plan: AppendPlan, readableFrom instant: Instant) {
        new = Set(plan.context.names.created.map(\.pseudonym))
        let bounds = ClockBound.all(of: plan, from: instant)
        let accounts = plan.changedAccounts.sorted { left, right in
            (left.value, left.key.environment.rawValue, left.key.account)
                < (right.value, right.key.environment.rawValue, right.key.account)
        }
        rows.reserveCapacity(accounts.count)
        for (key, position) in accounts {
            let ordinal = rows.last.map { $0.position == position ? $0.ordinal + 1 : 0 } ?? 0
            rows.append(Row(key: key, position: position, ordinal: ordinal, dueAt: bounds[key]))
        }
        if let last = rows.last, last.position == plan.head.position { lastOrdinal = last.ordinal }
    }

    /// The statements that write the places.
    var steps: [PostgresPipelineStep] {
        [
            (Self.upsert, rows.filter { !new.contains($0.key.account) }),
            (Self.insert, rows.filter { new.contains($0.key.account) }),
        ]
        .filter { !$1.isEmpty }
        .map { statement, rows in
            PostgresPipelineStep(
                statement,
                [
                    .uuidArray(rows.map(\.key.account.uuid)), .textArray(rows.map(\.key.environment.rawValue)),
                    .int8Array(rows.map(\.position)), .int8Array(rows.map(\.ordinal)),
                    .timestamptzArray(rows.map { $0.dueAt?.microseconds }),
                ]
            )
        }
    }
}
