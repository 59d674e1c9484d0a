package import EntitlementDomain
import EventStore
import JSON
import X509

/// What a service vouches for with its signature: the log's last hash at a position, at a time. Whoever keeps it can prove
/// later that the history up to there was not rewritten, since every hash covers all that came before.
package struct Checkpoint: Sendable, Hashable {
    package var position: LogPosition
    package var hash: [UInt8]
    /// When it was signed.
    package var signedAt: Instant

    package init(position: LogPosition, hash: [UInt8], signedAt: Instant) {
        self.position = position
        self.hash = hash
        self.signedAt = signedAt
    }

    /// `typ` of the signed text (RFC 7515 section 4.1.9): such a text is never taken for a token about an account.
    static let type = "entitled-checkpoint+jwt"

    /// The claims that are signed.
    func claims(issuer: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("iss", issuer)
        writer.member("iat", signedAt.milliseconds / 1_000)
        writer.key("checkpoint")
        writeMembers(to: &writer)
        writer.endObject()
        return writer.bytes
    }

    private func writeMembers(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("position", position.description)
        writer.member("hash", Hexadecimal.text(hash))
        writer.member("signedAt", signedAt.iso8601)
        writer.endObject()
    }

    /// Reads what `claims` wrote.
    init?(claims: JSONValue) {
        guard let checkpoint = claims["checkpoint"],
            let position = checkpoint["position"]?.stringValue.flatMap({ LogPosition($0) }),
            let hash = checkpoint["hash"]?.stringValue.flatMap({ HexText.bytes($0) }), hash.count == 32,
            let signedAt = checkpoint["signedAt"]?.stringValue.flatMap({ Instant(iso8601: $0) })
        else { return nil }
        self.init(position: position, hash: hash, signedAt: signedAt)
    }

    /// The file that is published: the signed text, and beside it, for people, what it says.
    func file(_ signed: SignedCheckpoint) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("checkpoint")
        writeMembers(to: &writer)
        writer.member("keyId", signed.keyID)
        writer.member("token", signed.token)
        writer.endObject()
        return writer.bytes + [UInt8(ascii: "\n")]
    }
}
