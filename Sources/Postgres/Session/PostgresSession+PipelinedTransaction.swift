extension PostgresSession {
    private static let begin = PreparedStatement("BEGIN")
    private static let commit = PreparedStatement("COMMIT")

    /// Runs a transaction with as few round trips as there are waits for an answer: BEGIN travels with the first
    /// statements, COMMIT with the last ones.
    ///
    /// - Parameters:
    ///   - first: what the transaction begins with.
    ///   - body: gets the results of `first`; may run other statements, and returns the last ones.
    /// - Returns: what `body` gave, and the results of the last statements.
    /// - Throws: as `transaction`; `PostgresPipelineError` for a failed statement of `first` or of the last ones.
    @discardableResult
    package func transaction<Result>(
        beginningWith first: [PostgresPipelineStep],
        _ body: (PostgresSession, [PostgresResult]) throws -> (last: [PostgresPipelineStep], result: Result)
    ) throws -> (result: Result, last: [PostgresResult]) {
        guard !isInTransaction else {
            throw PostgresError(.protocol, "a transaction is open already; transactions do not nest")
        }
        let ended: (last: [PostgresPipelineStep], result: Result)
        do {
            let results = try pipeline([PostgresPipelineStep(Self.begin)] + first)
            ended = try body(self, Array(results.dropFirst()))
        } catch {
            try rollBack(after: error)
            throw error
        }
        return (ended.result, try commit(with: ended.last))
    }

    private func commit(with last: [PostgresPipelineStep]) throws -> [PostgresResult] {
        let results: [PostgresResult]
        do {
            results = try pipeline(last + [PostgresPipelineStep(Self.commit)])
        } catch {
            if isBroken {
                throw PostgresTransactionError(outcome: .commitUnknown, underlying: error, rollbackError: nil)
            }
            try rollBack(after: error)
            throw error
        }
        if results.last?.commandTag != "COMMIT" {
            throw PostgresError(.protocol, "the transaction was rolled back: a statement in it failed")
        }
        return results.dropLast()
    }
}
