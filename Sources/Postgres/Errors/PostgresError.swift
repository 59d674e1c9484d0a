/// Why work with the database failed.
///
/// `description` is safe to show to an operator: it never holds parameter values or row contents. `debugDescription`
/// holds everything the server said.
package struct PostgresError: Error, Sendable, Hashable {
    /// Where the failure arose.
    package enum Kind: String, Sendable, Hashable {
        /// No connection could be made, or the one in use broke.
        case connection
        /// The server refused a statement; `sqlState` says why.
        case server
        /// This side and the server, or this side and its caller, do not agree on how to talk: a wrong parameter
        /// count, an unusable connection string, COPY used where a query belongs.
        case `protocol`
        /// A value of the result is not of the type that was asked for.
        case decoding
        /// The work was cancelled by its own caller.
        case cancelled
        /// The work took longer than it may: connect timeout, pool wait, command timeout, or the server's own
        /// statement timeout.
        case timeout
        /// The session or the pool has been closed by its owner.
        case closed
    }

    /// The fields are kept behind one reference: errors travel through many typed throws, and most never happen.
    private final class Fields: Sendable {
        let kind: Kind
        let message: String
        let server: ServerMessage?

        init(kind: Kind, message: String, server: ServerMessage?) {
            self.kind = kind
            self.message = message
            self.server = server
        }
    }

    private let fields: Fields

    init(_ kind: Kind, _ message: String, server: ServerMessage? = nil) {
        fields = Fields(kind: kind, message: message, server: server)
    }

    /// Where the failure arose.
    package var kind: Kind { fields.kind }

    /// What happened, in words: the server's primary message where there is one. May quote a value of the statement;
    /// `description` leaves it out where that is possible.
    package var message: String { fields.message }

    /// All that the server said, when it was the server that refused.
    package var server: ServerMessage? { fields.server }

    /// The server's condition code.
    package var sqlState: SQLState? { fields.server?.sqlState }

    /// The name of the violated constraint.
    package var constraint: String? { fields.server?.constraint }

    /// The table concerned, without its schema.
    package var table: String? { fields.server?.table }

    /// The server's further explanation. May quote values.
    package var detail: String? { fields.server?.detail }

    /// The server's advice.
    package var hint: String? { fields.server?.hint }

    package static func == (left: PostgresError, right: PostgresError) -> Bool {
        left.fields === right.fields
            || (left.kind == right.kind && left.message == right.message && left.server == right.server)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(message)
        hasher.combine(server)
    }
}

extension PostgresError {
    /// Whether the connection that raised it is of no further use. Whatever was in progress may or may not have been
    /// committed.
    package var isConnectionLost: Bool {
        kind == .connection || (sqlState?.endsSession ?? false)
    }

    /// Whether trying the same work again later can succeed with nothing else changed.
    package var isTransient: Bool {
        switch kind {
        case .connection: sqlState?.isTransient ?? true
        case .server: sqlState?.isTransient ?? false
        case .timeout: true
        case .protocol, .decoding, .cancelled, .closed: false
        }
    }

    /// The database error at the bottom of `error`, looking inside `PostgresPipelineError` and
    /// `PostgresTransactionError`.
    package static func underlying(_ error: any Error) -> PostgresError? {
        switch error {
        case let error as PostgresError: error
        case let error as PostgresPipelineError: error.underlying
        case let error as PostgresTransactionError: underlying(error.underlying)
        default: nil
        }
    }
}

extension PostgresError: CustomStringConvertible, CustomDebugStringConvertible {
    package var description: String {
        guard let server else { return "\(kind.rawValue) error: \(message)" }
        var text = "\(kind.rawValue) error \(server.sqlState)"
        if kind != .server || server.sqlState.messageNamesOnlyObjects {
            text += ": \(message)"
        }
        let named = [("table", server.table), ("column", server.column), ("constraint", server.constraint)]
        let places = named.compactMap { label, name in name.map { "\(label) \($0)" } }
        return places.isEmpty ? text : text + " (" + places.joined(separator: ", ") + ")"
    }

    /// Everything known, including what the server quoted from the statement: for logs with restricted readers.
    package var debugDescription: String {
        guard let server else { return description }
        return "\(kind.rawValue) error: \(message) [\(server.debugDescription)]"
    }
}
