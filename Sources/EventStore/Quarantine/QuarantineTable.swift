import EntitlementDomain
import Postgres
import X509

/// The SQL of table `quarantine`.
enum QuarantineTable {
    /// The most notifications kept aside; beyond it the App Store's own retries have to do.
    static let limit = 10_000

    private static let park = PreparedStatement(
        """
        INSERT INTO entitled.quarantine AS q (digest, text, reason, first_seen_at, last_tried_at)
        SELECT $1::bytea, $2::text, $3::text, $4::timestamptz, $4::timestamptz
        WHERE (SELECT count(*) FROM entitled.quarantine) < $5::bigint
            OR EXISTS (SELECT FROM entitled.quarantine WHERE digest = $1::bytea)
        ON CONFLICT (digest) DO UPDATE SET tries = q.tries + 1, last_tried_at = excluded.last_tried_at
        """
    )

    private static let all = PreparedStatement("SELECT text FROM entitled.quarantine ORDER BY first_seen_at, digest")
    private static let remove = PreparedStatement("DELETE FROM entitled.quarantine WHERE digest = $1::bytea")

    /// - Returns: false when the quarantine is full.
    static func park(_ text: String, reason: String, at instant: Instant, _ session: PostgresSession) throws -> Bool {
        let result = try session.query(
            park,
            [
                .bytea(digest(text)), .text(text), .text(reason), .timestamptz(instant.microseconds),
                .int8(Int64(limit)),
            ]
        )
        return result.affectedRowCount > 0
    }

    static func all(_ session: PostgresSession) throws -> [String] {
        let result = try session.query(all, [])
        return try result.rows.map { try result.text($0, 0) }
    }

    static func remove(_ text: String, _ session: PostgresSession) throws {
        _ = try session.query(remove, [.bytea(digest(text))])
    }

    private static func digest(_ text: String) -> [UInt8] {
        SHA256.hash(Array(text.utf8)).bytes
    }
}
