import Postgres

/// How far a database is behind its primary.
enum StandbyLag: Sendable, Hashable {
    /// It is no standby.
    case primary
    /// It shows all that it has received.
    case none
    /// The newest change that it shows was made so long ago, and there are newer ones.
    case behind(Duration)

    /// No parameters.
    private static let statement = PreparedStatement(
        """
        SELECT CASE WHEN pg_last_wal_receive_lsn() IS DISTINCT FROM pg_last_wal_replay_lsn()
            THEN (extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) * 1000)::bigint END
        """
    )

    /// Asks the server; costs nothing on a primary, which says by itself that it is one.
    static func read(_ session: PostgresSession) throws -> StandbyLag {
        guard session.reportedSetting("in_hot_standby") == "on" else { return .primary }
        let milliseconds = try session.query(statement, []).optionalInt64(0, 0)
        return milliseconds.map { .behind(.milliseconds(max($0, 0))) } ?? .none
    }

    /// Nil: no standby, or it shows all it has received.
    var duration: Duration? {
        if case .behind(let duration) = self { duration } else { nil }
    }
}
