package import EntitlementAPI
package import EntitlementDomain
package import EventStore
import X509

/// An API key: `ent_<id>_<secret>`. The id is public; only the digest of the whole is ever stored.
package struct APIKey: Sendable {
    /// The longest key that is looked at.
    static let maximumBytes = 256

    /// The whole key: shown once, when it is made.
    package let text: String
    package let keyID: String

    /// Makes a new key of 32 random bytes.
    ///
    /// - Throws: `X509Error` when the system gives no random bytes.
    package static func make() throws -> APIKey {
        // The id must hold no separator of the key's parts.
        let keyID = Hexadecimal.text(try SecureRandom.bytes(6))
        let secret = String(decoding: Base64URL.encode(try SecureRandom.bytes(32)), as: UTF8.self)
        return APIKey(text: "ent_\(keyID)_\(secret)", keyID: keyID)
    }

    private init(text: String, keyID: String) {
        self.text = text
        self.keyID = keyID
    }

    /// Takes a text apart; nil when it cannot be a key.
    package init?(_ text: String) {
        let parts = text.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "ent", !parts[1].isEmpty, !parts[2].isEmpty,
            text.utf8.count <= Self.maximumBytes
        else {
            return nil
        }
        self.init(text: text, keyID: String(parts[1]))
    }

    /// SHA-256 of the whole key: what is stored and compared.
    package var digest: [UInt8] {
        SHA256.hash(Array(text.utf8)).bytes
    }

    /// What the database keeps of this key.
    package func record(
        name: String,
        scopes: Set<Scope>,
        createdAt: Instant,
        expiresAt: Instant? = nil,
        callsPerSecond: Int? = nil
    ) -> APIKeyRecord {
        APIKeyRecord(
            keyID: keyID,
            digest: digest,
            name: name,
            scopes: scopes.map(\.rawValue).sorted(),
            createdAt: createdAt,
            expiresAt: expiresAt,
            callsPerSecond: callsPerSecond
        )
    }
}
