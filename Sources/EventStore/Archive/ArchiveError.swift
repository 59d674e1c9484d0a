/// What is wrong with an archive, and where.
package struct ArchiveError: Error, Sendable, Hashable, CustomStringConvertible {
    /// Line in the file, from 1.
    package var line: Int
    /// The event's position, when it is an event that is wrong.
    package var position: Int64?
    package var message: String

    package var description: String {
        position.map { "line \(line), position \($0): \(message)" } ?? "line \(line): \(message)"
    }
}
