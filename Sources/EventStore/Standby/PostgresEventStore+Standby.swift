import Postgres

/// What a database takes that is a standby, or was made read-only.
extension PostgresEventStore {
    /// Whether the database was a standby when it was last looked at.
    package var isStandby: Bool { keeper.isStandby }

    /// Whether it was set up to write nothing, whatever the database is.
    package var isReadOnlyByChoice: Bool { isReadOnly }

    /// Whether there is anything to write in the background.
    package var takesWrites: Bool { !isReadOnly && !isStandby }

    /// How long ago the newest change that a standby shows was made; nil: the database is no standby, or it shows all
    /// that it has received.
    package var replayLag: Duration? { keeper.replayLag }

    /// Checks that the way to the database keeps what the service relies on, from one transaction to the next.
    ///
    /// - Throws: `StoreError.unsuitable` for a pooler in transaction mode.
    package func checkSessions() async throws(StoreError) {
        do {
            try await SessionProbe(database).run()
        } catch {
            throw StoreError(error)
        }
    }

    func refuseWhenReadOnly() throws(StoreError) {
        if isReadOnly {
            throw .readOnly(
                "this instance only reads (setting readOnly); send what is to be written to one that writes"
            )
        }
    }

    static func checkTakesWrites(_ session: PostgresSession) throws {
        let result = try session.query("SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on'")
        if try result.bool(0, 0) {
            throw StoreError.readOnly(
                "the database is a standby, which takes no writes; set readOnly for an instance that is to read from it"
            )
        }
        if try result.bool(0, 1) {
            throw StoreError.readOnly("the database was made read-only (default_transaction_read_only)")
        }
    }
}
