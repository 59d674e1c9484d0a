import Postgres
import StoreTesting

/// The log as it stands in the database: events, evidence, statements and the head, byte for byte.
struct LogRows: Equatable {
    let hashes: [[UInt8]]
    let evidence: [String]
    let statements: [String]
    let head: [String]

    init(_ session: PostgresSession) throws {
        func texts(_ sql: String) throws -> [String] {
            let found = try session.query(sql)
            return try found.rows.map { try found.text($0, 0) }
        }
        hashes = try HashChain(session).hashes
        evidence = try texts("SELECT encode(digest || content, 'hex') FROM entitled.evidence ORDER BY digest")
        statements = try texts(
            "SELECT encode(statement_id, 'hex') || ' ' || position FROM entitled.statements ORDER BY 1"
        )
        head = try texts(
            "SELECT concat_ws(' ', position, hash, epoch, catalog_position, recorded_at) FROM entitled.log_head"
        )
    }
}
