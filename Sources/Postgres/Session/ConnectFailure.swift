import CLibpq

/// Reads libpq's text about a failed connection.
enum ConnectFailure {
    static func read(_ pointer: OpaquePointer) -> PostgresError {
        error(
            from: unsafe PQerrorMessage(pointer).map { unsafe String(cString: $0) } ?? "",
            needsPassword: unsafe PQconnectionNeedsPassword(pointer) == 1
        )
    }

    /// In verbose form the server's part reads `FATAL:  57P03: the database system is starting up`, followed by lines
    /// about the place in the server's sources. With several hosts the last code counts.
    ///
    /// - Parameter needsPassword: whether libpq ended the connection itself, since the server asked for a password and
    ///   there was none.
    static func error(from text: String, needsPassword: Bool = false) -> PostgresError {
        var lines: [String] = []
        var state: SQLState?
        for line in text.split(separator: "\n") where !line.hasPrefix("LOCATION:") {
            if let (clean, code) = withoutCode(line) {
                state = code
                lines.append(clean)
            } else {
                lines.append(String(line))
            }
        }
        if needsPassword, state == nil { state = .invalidPassword }
        let message = lines.isEmpty ? "the connection failed" : lines.joined(separator: " ")
        let server = state.map { ServerMessage(severity: "FATAL", sqlState: $0, message: message) }
        return PostgresError(.connection, message, server: server)
    }

    private static func withoutCode(_ line: Substring) -> (String, SQLState)? {
        var words = line.split(separator: " ", omittingEmptySubsequences: false)
        for index in words.indices.dropFirst() {
            let word = words[index]
            let isCode =
                word.utf8.count == 6 && word.hasSuffix(":")
                && word.dropLast().utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) }
            // The severity and two spaces stand before the code.
            guard isCode, words[index - 1].isEmpty, index >= 2, words[index - 2].hasSuffix(":") else { continue }
            words.remove(at: index)
            words.remove(at: index - 1)
            return (words.joined(separator: " "), SQLState(rawValue: String(word.dropLast())))
        }
        return nil
    }
}

extension ServerMessage {
    init(severity: String, sqlState: SQLState, message: String) {
        self.init(
            severity: severity,
            sqlState: sqlState,
            message: message,
            detail: nil,
            hint: nil,
            context: nil,
            schema: nil,
            table: nil,
            column: nil,
            constraint: nil,
            position: nil
        )
    }
}
