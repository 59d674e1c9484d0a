extension PostgresSession {
    /// Runs `body` in a transaction: commits when it returns, rolls back when it throws.
    ///
    /// - Throws: the error of `body`, BEGIN or COMMIT as it is. `PostgresTransactionError` where that would not tell
    ///   all: ROLLBACK failed too, or the connection broke during COMMIT so that the outcome is unknown.
    package func transaction<Result>(
        _ mode: PostgresTransactionMode = PostgresTransactionMode(),
        _ body: (PostgresSession) throws -> Result
    ) throws -> Result {
        guard !isInTransaction else {
            throw PostgresError(.protocol, "a transaction is open already; transactions do not nest")
        }
        try execute(mode.beginText)
        let result: Result
        do {
            result = try body(self)
        } catch {
            try rollBack(after: error)
            throw error
        }
        try commit()
        return result
    }

    private func commit() throws {
        let ended: ResultHandle
        do {
            ended = try simple("COMMIT")
        } catch {
            if error.isConnectionLost || isBroken {
                throw PostgresTransactionError(outcome: .commitUnknown, underlying: error, rollbackError: nil)
            }
            try rollBack(after: error)
            throw error
        }
        // COMMIT of a transaction in which a statement failed is answered, without an error, by a rollback.
        if ended.commandTag != "COMMIT" {
            throw PostgresError(.protocol, "the transaction was rolled back: a statement in it failed")
        }
    }

    func rollBack(after error: any Error) throws {
        guard !isBroken, isInTransaction else { return }
        do {
            try rollBack()
        } catch let rollbackError {
            throw PostgresTransactionError(
                outcome: .rollbackFailed,
                underlying: error,
                rollbackError: rollbackError
            )
        }
    }

    /// Ends an open transaction without its effects; works even in an interrupted job.
    func rollBack() throws(PostgresError) {
        do {
            _ = try simple("ROLLBACK", whenInterrupted: true)
        } catch {
            // A cancel request may arrive late and hit ROLLBACK itself; there is only one.
            guard error.sqlState == .queryCanceled, !isBroken else { throw error }
            _ = try simple("ROLLBACK", whenInterrupted: true)
        }
    }
}
