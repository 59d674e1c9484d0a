/// One fault of a scenario file, with its place.
package struct ScenarioProblem: Sendable, Hashable, CustomStringConvertible {
    package let file: String
    /// The line, 1 for the first.
    package let line: Int
    /// The column in characters, 1 for the first.
    package let column: Int
    /// The place as a JSON pointer (RFC 6901); empty for the whole document.
    package let pointer: String
    /// What was expected, and what is there.
    package let message: String

    package var description: String {
        "\(file):\(line):\(column): \(pointer.isEmpty ? "" : pointer + ": ")\(message)"
    }
}
