/// A transaction that ended in a way its body's own error does not tell.
package struct PostgresTransactionError: Error {
    /// What is known about the transaction's effects.
    package enum Outcome: String, Sendable {
        /// The body failed and ROLLBACK failed as well. The server undoes the transaction when it notices the loss of
        /// the session; nothing was committed.
        case rollbackFailed
        /// The connection broke while COMMIT was under way: the effects may or may not be there. Only work that may be
        /// repeated without harm should be tried again.
        case commitUnknown
    }

    /// What is known about the transaction's effects.
    package let outcome: Outcome
    /// The error of the body, or of COMMIT.
    package let underlying: any Error
    /// The error of ROLLBACK, where that was tried.
    package let rollbackError: PostgresError?
}

extension PostgresTransactionError: CustomStringConvertible {
    package var description: String {
        switch outcome {
        case .rollbackFailed:
            "the transaction failed: \(underlying); rolling it back failed too: "
                + (rollbackError.map { "\($0)" } ?? "unknown")
        case .commitUnknown:
            "the connection broke during COMMIT, the outcome is unknown: \(underlying)"
        }
    }
}
