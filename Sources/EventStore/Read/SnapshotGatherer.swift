import EntitlementDomain
import Foundation
import Postgres
import Synchronization

/// Reads the facts of accounts for many callers at once: whoever asks while reads are under way goes with the next one, all
/// of them in one statement. Nobody waits for a timer: without load a statement goes out at once, for one account.
///
/// A statement costs the database some tens of microseconds, an account in it a few. What is found is handed to callers on
/// the thread that read it, so that no task is made and woken for each of them; what they do there should be short.
final class SnapshotGatherer: Sendable {
    /// Facts as they were read; the caller takes them apart.
    struct Facts: Sendable {
        let result: PostgresResult
        /// The rows of the account; one at least.
        let rows: [Int]
    }

    typealias Completion = @Sendable (Result<Facts, any Error>) -> Void

    private struct Key: Hashable {
        var account: AccountID
        var environment: StoreEnvironment
    }

    private struct Call {
        var key: Key
        var completion: Completion
    }

    private struct State {
        var waiting: [Call] = []
        /// The threads that have nothing to do.
        var idle: [PostgresThread]
        var isClosed = false
    }

    /// The most accounts in one statement.
    private static let batch = 128
    /// The most statements at a time, one on each session: while one thread waits for the database, the others take apart
    /// what they have read. More than there are cores would only make each of them smaller.
    private static let sessions = min(max(ProcessInfo.processInfo.activeProcessorCount, 2), 8)

    /// The limit tells the planner, whatever it knows of the table, that there is one row: it would keep all that is found
    /// aside otherwise.
    ///
    /// $1 accounts, $2 environments.
    private static let statement = PreparedStatement(
        """
        SELECT h.epoch, h.position, h.catalog_position, k.number, a.state, \(LineRow.columns)
        FROM (SELECT epoch, position, catalog_position FROM entitled.log_head LIMIT 1) h
        CROSS JOIN unnest($1::uuid[], $2::text[]) WITH ORDINALITY AS k (account, environment, number)
        LEFT JOIN entitled.account_names n ON n.account = k.account AND n.environment = k.environment
        LEFT JOIN entitled.accounts a ON a.account = n.pseudonym AND a.environment = k.environment
        LEFT JOIN entitled.lines l ON l.owner = n.pseudonym AND l.environment = k.environment
        """
    )

    private let state: Mutex<State>
    private let threads: [PostgresThread]

    init(_ database: PostgresConfiguration) {
        var database = database
        database.settings["default_transaction_read_only"] = "on"
        let settled = database
        threads = (0..<Self.sessions).map { PostgresThread(settled, label: "entitled.postgres.snapshots.\($0)") }
        state = Mutex(State(idle: threads))
    }

    /// Reads the facts of an account, and tells of them on another thread.
    func read(_ account: AccountID, in environment: StoreEnvironment, _ completion: @escaping Completion) {
        let call = Call(key: Key(account: account, environment: environment), completion: completion)
        let (isClosed, thread) = state.withLock { state -> (Bool, PostgresThread?) in
            if state.isClosed { return (true, nil) }
            state.waiting.append(call)
            return (false, state.idle.popLast())
        }
        if isClosed { return completion(.failure(StoreError.unavailable("the sessions for reading are closed"))) }
        if let thread { run(on: thread) }
    }

    /// Refuses later calls, answers those made before, and closes the sessions.
    func close() async {
        state.withLock { $0.isClosed = true }
        for thread in threads { await thread.close() }
        // A thread that went on with another batch found its session closed, and answered.
    }

    /// Reads what is waiting, and goes on while there is more.
    private func run(on thread: PostgresThread) {
        thread.enqueue { session in
            guard let calls = self.take(for: thread) else { return }
            do {
                try Self.read(calls, try session.get())
            } catch {
                for call in calls { call.completion(.failure(error)) }
            }
            self.run(on: thread)
        }
    }

    private func take(for thread: PostgresThread) -> [Call]? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.idle.append(thread)
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

    /// - Throws: what the database throws; nobody has been told of anything then.
    private static func read(_ calls: [Call], _ session: PostgresSession) throws {
        var places: [Key: Int] = [:]
        var keys: [Key] = []
        for call in calls where places[call.key] == nil {
            places[call.key] = keys.count
            keys.append(call.key)
        }
        let result = try session.query(
            statement,
            [.uuidArray(keys.map(\.account.uuid)), .textArray(keys.map(\.environment.rawValue))]
        )
        var rows: [[Int]] = Array(repeating: [], count: keys.count)
        for row in result.rows { rows[Int(try result.int64(row, 3)) - 1].append(row) }
        for call in calls {
            call.completion(.success(Facts(result: result, rows: rows[places[call.key] ?? 0])))
        }
    }
}

extension SnapshotGatherer.Facts {
    /// The facts, and where the catalog that belongs to them came into force.
    func read() throws -> (account: Account, position: LogPosition, catalogPosition: Int64) {
        guard let first = rows.first else {
            throw StoreError.failed("table log_head has no row; the database is damaged")
        }
        return (
            try AccountRow.account(result, rows, stateAt: 4),
            LogPosition(epoch: Int(try result.int32(first, 0)), number: try result.int64(first, 1)),
            try result.int64(first, 2)
        )
    }
}
