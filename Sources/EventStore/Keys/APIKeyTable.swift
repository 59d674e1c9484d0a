import EntitlementDomain
import Postgres

/// The SQL of table `api_keys`.
enum APIKeyTable {
    private static let insert = PreparedStatement(
        """
        INSERT INTO entitled.api_keys (key_id, digest, name, scopes, created_at, expires_at, rate_limit)
        VALUES ($1::text, $2::bytea, $3::text, $4::text[], $5::timestamptz, $6::timestamptz, $7::integer)
        """
    )

    private static let all = PreparedStatement(
        """
        SELECT key_id, digest, name, scopes, created_at, expires_at, revoked_at, last_used_at, rate_limit
        FROM entitled.api_keys ORDER BY created_at, key_id
        """
    )

    private static let revoke = PreparedStatement(
        """
        UPDATE entitled.api_keys SET revoked_at = $2::timestamptz WHERE key_id = $1::text AND revoked_at IS NULL
        """
    )

    // Other instances write the use of the same keys: each key once a minute, whoever is first.
    private static let use = PreparedStatement(
        """
        UPDATE entitled.api_keys AS k SET last_used_at = u.used_at
        FROM unnest($1::text[], $2::timestamptz[]) AS u (key_id, used_at)
        WHERE k.key_id = u.key_id
            AND (k.last_used_at IS NULL OR k.last_used_at <= u.used_at - interval '1 minute')
        """
    )

    static func add(_ key: APIKeyRecord, _ session: PostgresSession) throws {
        _ = try session.query(
            insert,
            [
                .text(key.keyID), .bytea(key.digest), .text(key.name), .textArray(key.scopes),
                .timestamptz(key.createdAt.microseconds),
                key.expiresAt.map { .timestamptz($0.microseconds) } ?? .null,
                key.callsPerSecond.map { .int4(Int32(clamping: $0)) } ?? .null,
            ]
        )
    }

    static func list(_ session: PostgresSession) throws -> [APIKeyRecord] {
        let result = try session.query(all, [])
        return try result.rows.map { row in
            APIKeyRecord(
                keyID: try result.text(row, 0),
                digest: try result.bytes(row, 1),
                name: try result.text(row, 2),
                scopes: try result.textArray(row, 3).compactMap(\.self),
                createdAt: Instant(microseconds: try result.timestamp(row, 4)),
                expiresAt: try result.optionalTimestamp(row, 5).map(Instant.init(microseconds:)),
                revokedAt: try result.optionalTimestamp(row, 6).map(Instant.init(microseconds:)),
                lastUsedAt: try result.optionalTimestamp(row, 7).map(Instant.init(microseconds:)),
                callsPerSecond: try result.optionalInt32(row, 8).map(Int.init)
            )
        }
    }

    /// - Returns: false when there is no such key that is still in force.
    static func revoke(_ keyID: String, at instant: Instant, _ session: PostgresSession) throws -> Bool {
        try session.query(revoke, [.text(keyID), .timestamptz(instant.microseconds)]).affectedRowCount > 0
    }

    /// Writes when keys were last used, unless a use within the minute before is written already.
    static func recordUses(_ uses: [(keyID: String, at: Instant)], _ session: PostgresSession) throws {
        _ = try session.query(use, [.textArray(uses.map(\.keyID)), .timestamptzArray(uses.map(\.at.microseconds))])
    }
}
