import EntitlementDomain
import Postgres

/// A row of table `feed` with all that decides what its account has: what the clock's work is about.
struct FeedEntry {
    var key: AppendPlan.AccountKey
    var position: Int64
    var ordinal: Int64
    /// The instant of the last change when the clock brought it.
    var changedAt: Instant?
    var dueAt: Instant?
    /// Nil: it cannot be read by this version.
    var account: Account?

    /// The columns that `read` takes, of `feed` under the name `f`.
    static let columns = "f.account, f.environment, f.position, f.ordinal, f.changed_at, f.due_at"

    /// $1 accounts, $2 environments.
    private static let findLines = PreparedStatement(
        """
        SELECT l.owner, \(LineRow.columns) FROM unnest($1::uuid[], $2::text[]) AS k (owner, environment)
        JOIN entitled.lines l USING (owner, environment)
        """
    )

    /// $1 accounts, $2 environments.
    private static let findStates = PreparedStatement(
        """
        SELECT a.account, a.environment, a.state FROM unnest($1::uuid[], $2::text[]) AS k (account, environment)
        JOIN entitled.accounts a USING (account, environment)
        """
    )

    /// Reads the accounts of rows. To be called in a transaction with one snapshot, the rows' own.
    ///
    /// - Parameters:
    ///   - column: the place of the first of `columns`.
    ///   - instant: the first instant that the account of a row is to answer for.
    static func read(
        _ rows: PostgresResult,
        from column: Int,
        answeringFrom instant: (FeedEntry) -> Instant,
        _ session: PostgresSession
    ) throws -> [FeedEntry] {
        var entries = try rows.rows.map { row in
            FeedEntry(
                key: AppendPlan.AccountKey(
                    environment: StoreEnvironment(rawValue: try rows.text(row, column + 1)),
                    account: AccountID(try rows.uuid(row, column))
                ),
                position: try rows.int64(row, column + 2),
                ordinal: try rows.int64(row, column + 3),
                changedAt: try rows.optionalTimestamp(row, column + 4).map(Instant.init(microseconds:)),
                dueAt: try rows.optionalTimestamp(row, column + 5).map(Instant.init(microseconds:))
            )
        }
        if entries.isEmpty { return [] }
        let keys: [PostgresValue] = [
            .uuidArray(entries.map(\.key.account.uuid)), .textArray(entries.map(\.key.environment.rawValue)),
        ]
        let results = try session.pipeline([
            PostgresPipelineStep(findLines, keys), PostgresPipelineStep(findStates, keys),
        ])
        var lines: [AppendPlan.AccountKey: [LineState]] = [:]
        var states: [AppendPlan.AccountKey: AccountState] = [:]
        var unreadable: Set<AppendPlan.AccountKey> = []
        for row in results[0].rows {
            let key = AppendPlan.AccountKey(
                environment: StoreEnvironment(rawValue: try results[0].text(row, 1)),
                account: AccountID(try results[0].uuid(row, 0))
            )
            // One account that cannot be read must not keep all others from their changes.
            if let line = try? LineRow.read(results[0], row, from: 1) {
                lines[key, default: []].append(line)
            } else {
                unreadable.insert(key)
            }
        }
        for row in results[1].rows {
            let key = AppendPlan.AccountKey(
                environment: StoreEnvironment(rawValue: try results[1].text(row, 1)),
                account: AccountID(try results[1].uuid(row, 0))
            )
            if let state = try? AccountRow.state(try results[1].optionalBytes(row, 2)) {
                states[key] = state
            } else {
                unreadable.insert(key)
            }
        }
        for index in entries.indices where !unreadable.contains(entries[index].key) {
            let key = entries[index].key
            entries[index].account = Account(lines: lines[key] ?? [], state: states[key] ?? AccountState())
        }
        try complete(&entries, answeringFrom: instant, session)
        return entries
    }

    /// Puts those lines together whose heads do not reach back far enough.
    private static func complete(
        _ entries: inout [FeedEntry],
        answeringFrom instant: (FeedEntry) -> Instant,
        _ session: PostgresSession
    ) throws {
        let short = entries.indices.filter { index in
            entries[index].account.map { $0.answersFrom > instant(entries[index]) } ?? false
        }
        if short.isEmpty { return }
        let ids = short.flatMap { entries[$0].account?.lines.filter { $0.cut != nil }.map(\.id) ?? [] }
        let found = try LineHistory.read(ids, session)
        for index in short {
            guard let account = entries[index].account else { continue }
            let lines = account.lines.map { line in try? LineHistory.whole(line, (found[line.id] ?? [:]).values) }
            // As with any other account that cannot be read.
            let isReadable = !lines.contains { $0 == nil }
            entries[index].account =
                isReadable ? Account(lines: lines.compactMap(\.self), state: account.state) : nil
        }
    }
}
