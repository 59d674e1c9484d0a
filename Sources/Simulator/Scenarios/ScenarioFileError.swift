/// A scenario file that cannot be played, with everything that is wrong with it, in the order of the file.
package struct ScenarioFileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// At least one.
    package let problems: [ScenarioProblem]

    /// One line for each problem.
    package var description: String {
        problems.map(\.description).joined(separator: "\n")
    }
}
