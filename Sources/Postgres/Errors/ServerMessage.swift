/// The fields of an error or notice of the server (PostgreSQL manual, section 55.8 "Error and Notice Message Fields").
package struct ServerMessage: Sendable, Hashable {
    /// `ERROR`, `FATAL`, `PANIC`, `WARNING`, `NOTICE`, `DEBUG`, `INFO` or `LOG`, never translated.
    package var severity: String
    /// The condition code.
    package var sqlState: SQLState
    /// The primary message.
    package var message: String
    /// A further explanation; may quote values.
    package var detail: String?
    /// Advice what to do.
    package var hint: String?
    /// Where in a function it happened.
    package var context: String?
    /// The schema of the object concerned.
    package var schema: String?
    /// The table concerned.
    package var table: String?
    /// The column concerned.
    package var column: String?
    /// The violated constraint.
    package var constraint: String?
    /// The place in the statement text, in characters from 1.
    package var position: Int?
}

extension ServerMessage {
    /// Whether the server ends the session with it, whatever the condition.
    var isFatal: Bool { severity == "FATAL" || severity == "PANIC" }
}

extension ServerMessage: CustomDebugStringConvertible {
    package var debugDescription: String {
        let named: [(String, String?)] = [
            ("severity", severity), ("sqlState", sqlState.rawValue), ("detail", detail), ("hint", hint),
            ("context", context), ("schema", schema), ("table", table), ("column", column),
            ("constraint", constraint), ("position", position.map { String($0) }),
        ]
        return named.compactMap { name, value in value.map { "\(name): \($0)" } }.joined(separator: ", ")
    }
}
