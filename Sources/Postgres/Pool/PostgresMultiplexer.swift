import Synchronization

/// Lets many callers share few sessions for short reads: what is asked while one pipeline is under way goes out together
/// in the next one. Under load this costs a fraction of a session per call, since neither side waits or is woken for a
/// single statement; without load a statement goes out at once.
///
/// Reads only, which the server is told to enforce: statements of strangers share one implicit transaction, and run
/// again when one before them failed. (Each still sees its own snapshot, as the default isolation has it.) A statement
/// should be short, because those in the same pipeline wait for it; set `statement_timeout`.
package final class PostgresMultiplexer: Sendable {
    private let lanes: [MultiplexerLane]

    /// - Parameters:
    ///   - configuration: how the sessions connect.
    ///   - sessions: how many there are. One gathers the most and is the fastest on few cores; more keep a slow read from
    ///     delaying the others.
    package init(_ configuration: PostgresConfiguration, sessions: Int = 1) {
        precondition(sessions > 0, "a multiplexer needs at least one session")
        var configuration = configuration
        configuration.settings["default_transaction_read_only"] = "on"
        let settled = configuration
        lanes = (0..<sessions).map { MultiplexerLane(settled, label: "entitled.postgres.read.\($0)") }
    }

    /// Runs a read.
    ///
    /// A call whose task is cancelled before it is sent is given up; one under way is not cancelled, since it shares its
    /// session with others.
    ///
    /// - Throws: `PostgresError`, as `PostgresSession.query`; of kind `closed` after `close`.
    package func query(
        _ statement: PreparedStatement,
        _ parameters: [PostgresValue] = []
    ) async throws -> PostgresResult {
        if Task.isCancelled { throw PostgresCancelHandle.cancelled }
        // An idle session first, else the one with the fewest callers.
        let lane = lanes.count == 1 ? lanes[0] : lanes.min { $0.load < $1.load }!
        return try await withCheckedThrowingContinuation { continuation in
            lane.add(MultiplexerLane.Call(statement: statement, parameters: parameters, continuation: continuation))
        }
    }

    /// How many calls are not answered yet.
    package var load: Int { lanes.reduce(0) { $0 + $1.load } }

    /// Refuses later calls, answers those made before, and closes the sessions.
    package func close() async {
        for lane in lanes { await lane.close() }
    }
}
