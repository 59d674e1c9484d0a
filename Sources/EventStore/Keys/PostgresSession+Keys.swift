package import EntitlementDomain
package import Postgres

/// What only the owner of the database does with API keys: the service's role has no right to.
extension PostgresSession {
    /// Adds an API key. Running services know it within seconds.
    ///
    /// - Throws: `PostgresError`; with `insufficientPrivilege` on a session of the service's role.
    package func addKey(_ key: APIKeyRecord) throws {
        try APIKeyTable.add(key, self)
    }

    /// Revokes a key; false when there is none in force under this id.
    ///
    /// - Throws: `PostgresError`; with `insufficientPrivilege` on a session of the service's role.
    package func revokeKey(_ keyID: String, at instant: Instant) throws -> Bool {
        try APIKeyTable.revoke(keyID, at: instant, self)
    }
}
