import EntitlementDomain
import Postgres
import Synchronization

/// Reads the facts of accounts for many callers at once: whoever asks while a read is under way goes with the next one, all
/// of them in one statement. Nobody waits for a timer: without load a statement goes out at once, for one account.
///
/// A statement costs the database some tens of microseconds, an account in it a few.
final class SnapshotGatherer: Sendable {
    /// Facts as they were read; the caller takes them apart, so that callers do it side by side.
    struct Facts: Sendable {
        let result: PostgresResult
        /// The rows of the account; one at least.
        let rows: [Int]
    }

    private struct Key: Hashable {
        var account: AccountID
        var environment: StoreEnvironment
    }

    private struct Call {
        var key: Key
        var continuation: CheckedContinuation<Facts, any Error>
    }

    private struct State {
        var waiting: [Call] = []
        /// How many statements are under way.
        var running = 0
    }

    /// The most accounts in one statement.
    private static let batch = 128
    /// The most statements at a time, one for each session.
    static let sessions = 2

    /// $1 accounts, $2 environments.
    private static let statement = PreparedStatement(
        """
        SELECT h.epoch, h.position, h.catalog_position, k.number, a.state, \(LineRow.columns)
        FROM entitled.log_head h
        CROSS JOIN unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS k (account, environment, number)
        LEFT JOIN entitled.account_names n ON n.account = k.account AND n.environment = k.environment
        LEFT JOIN entitled.accounts a ON a.account = n.pseudonym AND a.environment = k.environment
        LEFT JOIN entitled.lines l ON l.owner = n.pseudonym AND l.environment = k.environment
        """
    )

    private let state = Mutex(State())
    private let multiplexer: PostgresMultiplexer

    init(_ multiplexer: PostgresMultiplexer) {
        self.multiplexer = multiplexer
    }

    /// Reads the facts of an account. It goes on when the calling task is cancelled: others may share what it finds.
    ///
    /// - Throws: what the database throws.
    func read(_ account: AccountID, in environment: StoreEnvironment) async throws -> Facts {
        try await withCheckedThrowingContinuation { continuation in
            let key = Key(account: account, environment: environment)
            let starts = state.withLock { state in
                state.waiting.append(Call(key: key, continuation: continuation))
                if state.running == Self.sessions { return false }
                state.running += 1
                return true
            }
            if starts { Task { await self.drain() } }
        }
    }

    private func drain() async {
        while let calls = take() { await read(calls) }
    }

    private func take() -> [Call]? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.running -= 1
                return nil
            }
            if state.waiting.count <= Self.batch {
                defer { state.waiting = [] }
                return state.waiting
            }
            defer { state.waiting.removeFirst(Self.batch) }
            return Array(state.waiting[..<Self.batch])
        }
    }

    private func read(_ calls: [Call]) async {
        var places: [Key: Int] = [:]
        var keys: [Key] = []
        for call in calls where places[call.key] == nil {
            places[call.key] = keys.count
            keys.append(call.key)
        }
        do {
            let result = try await multiplexer.query(
                Self.statement,
                [.uuidArray(keys.map(\.account.uuid)), .textArray(keys.map(\.environment.rawValue))]
            )
            var rows: [[Int]] = Array(repeating: [], count: keys.count)
            for row in result.rows { rows[Int(try result.int64(row, 3)) - 1].append(row) }
            for call in calls {
                call.continuation.resume(returning: Facts(result: result, rows: rows[places[call.key] ?? 0]))
            }
        } catch {
            for call in calls { call.continuation.resume(throwing: error) }
        }
    }
}

extension SnapshotGatherer.Facts {
    /// The facts, and where the catalog that belongs to them came into force.
    func read() throws -> (account: Account, position: LogPosition, catalogPosition: Int64) {
        guard let first = rows.first else {
            throw StoreError.failed("table log_head has no row; the database is damaged")
        }
        var lines: [LineState] = []
        for row in rows where try !result.isNull(row, 5) {
            lines.append(try LineRow.read(result, row, from: 5, reach: .head))
        }
        let state = try AccountRow.state(try result.optionalBytes(first, 4))
        return (
            Account(lines: lines, state: state),
            LogPosition(epoch: Int(try result.int32(first, 0)), number: try result.int64(first, 1)),
            try result.int64(first, 2)
        )
    }
}
