/// How a transaction sees others (PostgreSQL manual, section 13.2).
package struct PostgresTransactionMode: Sendable, Hashable {
    package enum Isolation: String, Sendable {
        case readCommitted = "READ COMMITTED"
        case repeatableRead = "REPEATABLE READ"
        case serializable = "SERIALIZABLE"
    }

    /// Nil leaves it to the server's setting.
    package var isolation: Isolation?
    /// Whether the transaction may not write.
    package var isReadOnly: Bool

    package init(isolation: Isolation? = nil, isReadOnly: Bool = false) {
        self.isolation = isolation
        self.isReadOnly = isReadOnly
    }

    /// One snapshot for a number of reads.
    package static let snapshot = PostgresTransactionMode(isolation: .repeatableRead, isReadOnly: true)

    var beginText: String {
        var text = "BEGIN"
        if let isolation { text += " ISOLATION LEVEL \(isolation.rawValue)" }
        if isReadOnly { text += " READ ONLY" }
        return text
    }
}
