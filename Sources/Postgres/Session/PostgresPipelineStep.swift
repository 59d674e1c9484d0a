/// One statement of a pipeline with its parameters.
package struct PostgresPipelineStep: Sendable {
    package var statement: PreparedStatement
    package var parameters: [PostgresValue]

    package init(_ statement: PreparedStatement, _ parameters: [PostgresValue] = []) {
        self.statement = statement
        self.parameters = parameters
    }
}

/// How one step of a pipeline ended.
package enum PostgresPipelineOutcome: Sendable {
    case completed(PostgresResult)
    case failed(PostgresError)
    /// Did not run, because a step before it failed.
    case aborted
}
