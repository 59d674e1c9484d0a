/// What became of one file.
package struct ScenarioFileReport: Sendable {
    package enum Outcome: Sendable {
        /// Everything came out as the file says, in so many orders.
        case passed(orders: Int)
        /// Something did not: the failures of the smallest failing orders, smallest first.
        case failed([ScenarioFailure])
        /// The file cannot be played.
        case faulty([ScenarioProblem])
        /// The file has no deliveries.
        case passedOver
    }

    /// The file's name without its folder.
    package let fileName: String
    /// The story's name; nil where the file could not be read.
    package let name: String?
    package let outcome: Outcome

    /// Whether the file counts as failed.
    package var isFailure: Bool {
        switch outcome {
        case .failed, .faulty: true
        case .passed, .passedOver: false
        }
    }
}
