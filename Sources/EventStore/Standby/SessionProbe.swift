import Postgres

/// Finds out whether a pooler stands between this service and PostgreSQL that lends a server's session for one transaction
/// only. Settings, prepared statements and LISTEN would be those of strangers then.
struct SessionProbe: Sendable {
    /// What every session of the service is set to.
    static let settings = [
        "statement_timeout": "30s", "lock_timeout": "20s", "idle_in_transaction_session_timeout": "30s",
    ]

    /// How many sessions to hold while looking whether one of them is another's.
    private static let strangers = 4
    private static let advice =
        "Connect to PostgreSQL itself: an instance needs 11 to 17 sessions, however many clients it has."

    private let configuration: PostgresConfiguration

    init(_ configuration: PostgresConfiguration) {
        self.configuration = configuration
    }

    /// - Throws: `StoreError.unsuitable`; what connecting throws.
    func run() async throws {
        let configuration = configuration
        do {
            try await PostgresThread.withSession(configuration) { try Self.probe($0, configuration) }
        } catch let error as PostgresError where error.message.contains("unsupported startup parameter") {
            // PgBouncer's words.
            throw StoreError.unsuitable(
                "a pooler (PgBouncer) stands before the database and refuses the settings of the service's sessions. "
                    + Self.advice
            )
        }
    }

    private static func probe(_ session: PostgresSession, _ configuration: PostgresConfiguration) throws {
        // The process that this side was told of when it connected; a pooler makes a number up.
        let process = try session.query("SELECT pg_backend_pid(), current_setting('statement_timeout')")
        if try process.int32(0, 0) == session.processID { return }
        if try process.text(0, 1) != settings["statement_timeout"] {
            throw StoreError.unsuitable(
                "a pooler stands before the database and drops the settings of the service's sessions (PgBouncer's "
                    + "ignore_startup_parameters). " + advice
            )
        }
        // Whoever holds a session of its own keeps its server process while others have transactions open.
        var others: [PostgresSession] = []
        defer { for other in others { other.close() } }
        for _ in 0..<strangers {
            let other = try PostgresSession(configuration)
            others.append(other)
            try other.execute("BEGIN")
            let taken = try other.query("SELECT pg_backend_pid()").int32(0, 0)
            if try taken == process.int32(0, 0) {
                throw StoreError.unsuitable(
                    "a pooler in transaction mode stands before the database (PgBouncer: pool_mode = transaction), so that "
                        + "prepared statements and LISTEN are lost between two transactions. " + advice
                )
            }
        }
    }
}
