package import EntitlementAPI
package import EntitlementDomain
package import EventStore
import X509

/// An API key: `ent_<id>_<secret>`. The id is public; only the digest of the whole is ever stored.
package struct APIKey: Sendable {
    /// The whole key: shown once, when it is made.
    package let text: String
    package let keyID: String

    /// Makes a new key of 32 random bytes.
    package static func make() -> APIKey {
        let keyID = Base64URL.encode(SecureRandom.bytes(6)).map { $0 == "_" || $0 == "-" ? "0" : $0 }
        let secret = Base64URL.encode(SecureRandom.bytes(32))
        return APIKey(text: "ent_\(String(keyID))_\(secret)", keyID: String(keyID))
    }

    private init(text: String, keyID: String) {
        self.text = text
        self.keyID = keyID
    }

    /// Takes a text apart; nil when it cannot be a key.
    package init?(_ text: String) {
        let parts = text.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == "ent", !parts[1].isEmpty, !parts[2].isEmpty, text.utf8.count <= 256 else {
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
        expiresAt: Instant? = nil
    ) -> APIKeyRecord {
        APIKeyRecord(
            keyID: keyID, digest: digest, name: name, scopes: scopes.map(\.rawValue).sorted(), createdAt: createdAt,
            expiresAt: expiresAt)
    }
}
