import Postgres
import Testing

/// Changes to the log that no code path of the product makes: what somebody with the rights of a superuser can do.
struct Tampering: Sendable, CustomTestStringConvertible {
    var name: String
    var sql: String

    var testDescription: String { name }

    init(_ name: String, _ sql: String) {
        self.name = name
        self.sql = sql
    }

    /// Makes the change, past the triggers.
    func perform(_ session: PostgresSession) throws {
        try session.execute("SET session_replication_role = replica; \(sql); SET session_replication_role = origin")
    }

    /// The digest of the first text of an event, as SQL.
    static func digest(of position: Int64) -> String {
        "(SELECT evidence_digests[1] FROM entitled.events WHERE position = \(position))"
    }
}
