/// A step of a pipeline failed. The steps behind it did not run, and the effects of those before it are undone unless
/// the pipeline itself held the commands of a transaction.
package struct PostgresPipelineError: Error, Sendable {
    /// The place of the failed step in the pipeline, from 0.
    package let step: Int
    /// How many steps the pipeline had.
    package let stepCount: Int
    /// The name of the prepared statement of the failed step.
    package let statement: String
    /// Why it failed.
    package let underlying: PostgresError
}

extension PostgresPipelineError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String { "step \(step) of \(stepCount) (statement \(statement)): \(underlying)" }

    package var debugDescription: String {
        "step \(step) of \(stepCount) (statement \(statement)): \(underlying.debugDescription)"
    }
}
