import Postgres
import StoreTesting
import X509

@testable import EventStore

/// The log as it stands in the database: events, signed texts, statements and the head, byte for byte.
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
        // Texts are sealed with keys that an archive does not carry: what counts is what comes back.
        let digests = try session.query("SELECT digest FROM entitled.evidence")
        let stored = try EvidenceReader().read(Set(try digests.rows.map { try digests.bytes($0, 0) }), session)
        evidence = stored.map { digest, text in
            let content = (try? text.get()).map { String(decoding: $0, as: UTF8.self) } ?? "erased"
            return "\(Hexadecimal.text(digest)) \(content)"
        }.sorted()
        statements = try texts(
            "SELECT encode(statement_id, 'hex') || ' ' || position FROM entitled.statements ORDER BY 1"
        )
        head = try texts(
            "SELECT concat_ws(' ', position, hash, epoch, catalog_position, recorded_at) FROM entitled.log_head"
        )
    }
}
