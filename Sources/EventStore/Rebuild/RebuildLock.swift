import Postgres

/// Keeps two rebuilds of one database apart, by a lock of the session. It is held from `take` to the end of the session.
struct RebuildLock {
    /// How long to wait for another one's end. The session of a run that was killed ends only when the server notices.
    var patience: Duration

    /// As the function pg_advisory_lock takes it.
    private static let key: Int64 = 6_171_850_254_017_012
    private static let interval: Duration = .milliseconds(100)

    /// - Throws: `AuditError.rebuildUnderWay` when another one goes on; `PostgresError`.
    func take(_ thread: PostgresThread, progress: @Sendable (AuditProgress) -> Void) async throws {
        let start = ContinuousClock.now
        while true {
            let isTaken = try await thread.run { session in
                try session.query("SELECT pg_try_advisory_lock($1::bigint)", [.int8(Self.key)]).bool(0, 0)
            }
            if isTaken { return }
            let waited = ContinuousClock.now - start
            guard waited < patience else { throw AuditError.rebuildUnderWay }
            progress(
                AuditProgress(
                    phase: "waiting for another rebuild to end (seconds)",
                    done: waited.components.seconds,
                    total: patience.components.seconds,
                    isWait: true
                )
            )
            try await Task.sleep(for: Self.interval)
        }
    }

    /// Gives it back; the end of the session would, but only some time after this side has gone on.
    static func release(_ thread: PostgresThread) async {
        _ = try? await thread.run { try $0.query("SELECT pg_advisory_unlock($1::bigint)", [.int8(key)]).rowCount }
    }
}
