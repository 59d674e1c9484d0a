import Postgres

/// Keeps VACUUM and ANALYZE away from the tables of both generations while they change places.
///
/// The switch waits for those who use the tables for less than `deadlock_timeout` at a time, but only after waiting that
/// long does PostgreSQL end an automatic VACUUM that is in the way: the switch alone would wait for as long as it runs,
/// which on a large table is hours. So a lock that VACUUM takes too is waited for first, for longer than
/// `deadlock_timeout`: nobody who reads or writes the tables notices it, and no VACUUM begins while it is held.
///
/// An automatic VACUUM against wraparound is not ended by anybody, nor is one that an operator began; the switch comes
/// behind their end.
enum VacuumPause {
    /// Lasts to the end of the transaction. To be taken before any lock that others wait for.
    ///
    /// - Throws: `PostgresError` with `lockNotAvailable` when one goes on that is not ended.
    static func begin(_ session: PostgresSession) throws {
        try session.query(
            """
            SELECT set_config('lock_timeout', (setting::bigint + 4000)::text, true) FROM pg_settings
            WHERE name = 'deadlock_timeout'
            """
        )
        for schema in ["entitled", GenerationTables.schema] {
            for name in GenerationTables.names {
                try session.execute("LOCK TABLE \(schema).\(name) IN SHARE UPDATE EXCLUSIVE MODE")
            }
        }
    }
}
