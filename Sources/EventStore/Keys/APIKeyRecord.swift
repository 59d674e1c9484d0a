package import EntitlementDomain

/// An API key as the database knows it: never the key itself.
package struct APIKeyRecord: Sendable, Hashable {
    /// The public part of the key, by which it is found and named.
    package var keyID: String
    /// SHA-256 of the whole key.
    package var digest: [UInt8]
    package var name: String
    /// `read`, `submit`, `admin`, `audit`.
    package var scopes: [String]
    package var createdAt: Instant
    package var expiresAt: Instant?
    package var revokedAt: Instant?
    /// About when it was last used, to the minute; nil: never.
    package var lastUsedAt: Instant?
    /// How many calls it may make a second on each instance; nil: any number.
    package var callsPerSecond: Int?

    package init(
        keyID: String,
        digest: [UInt8],
        name: String,
        scopes: [String],
        createdAt: Instant,
        expiresAt: Instant? = nil,
        revokedAt: Instant? = nil,
        lastUsedAt: Instant? = nil,
        callsPerSecond: Int? = nil
    ) {
        self.keyID = keyID
        self.digest = digest
        self.name = name
        self.scopes = scopes
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.revokedAt = revokedAt
        self.lastUsedAt = lastUsedAt
        self.callsPerSecond = callsPerSecond
    }

    /// Whether the key opens anything at this instant.
    package func isValid(at instant: Instant) -> Bool {
        revokedAt == nil && (expiresAt.map { instant < $0 } ?? true)
    }
}
