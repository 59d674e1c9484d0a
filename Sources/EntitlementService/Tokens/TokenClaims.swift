import EntitlementAPI
import EntitlementDomain
import JSON

/// The claims of one token: an answer, and how long it may be believed.
struct TokenClaims: Sendable {
    var issuer: String
    var audience: String?
    var snapshot: SnapshotResponse
    /// `iat` and `nbf`, in seconds since 1970.
    let issuedAt: Int64
    /// `exp`, in seconds since 1970: from then on the token is not valid (RFC 7519 section 4.1.4).
    let expiresAt: Int64

    init(_ snapshot: SnapshotResponse, issuer: String, audience: String?, ttlSeconds: Int64) {
        self.issuer = issuer
        self.audience = audience
        self.snapshot = snapshot
        // Downwards, all three: a token never promises more than its answer does.
        issuedAt = Self.seconds(snapshot.answer.instant)
        let limit = issuedAt + ttlSeconds
        expiresAt = snapshot.answer.nextChangeAt.map { min(limit, Self.seconds($0)) } ?? limit
    }

    /// The whole seconds before an instant after 1970.
    private static func seconds(_ instant: Instant) -> Int64 { instant.milliseconds / 1_000 }

    /// How long the token is valid from an instant on; not at all when that is zero or less.
    func validity(from instant: Instant) -> Duration {
        .milliseconds(expiresAt * 1_000 - instant.milliseconds)
    }

    /// The claims as JSON (RFC 7519 section 4).
    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("iss", issuer)
        switch snapshot.key {
        case .account(let account): writer.member("sub", account.description)
        case .originalTransactionID(let id): writer.member("sub", id)
        }
        if let audience { writer.member("aud", audience) }
        writer.member("iat", issuedAt)
        writer.member("nbf", issuedAt)
        writer.member("exp", expiresAt)
        writer.member("position", snapshot.position.description)
        writer.member("environment", snapshot.environment.rawValue)
        writer.key("entitlements")
        writer.beginObject()
        for entitlement in snapshot.answer.entitlements {
            writer.key(entitlement.id)
            writer.beginObject()
            writer.member("active", entitlement.isActive)
            writer.member("state", entitlement.state.rawValue)
            writer.member("expiresAt", entitlement.decisive.expiresAt?.iso8601)
            writer.endObject()
        }
        writer.endObject()
        writer.key("balances")
        writer.beginObject()
        for (currency, units) in snapshot.answer.balances.sorted(by: { $0.key < $1.key }) {
            writer.member(currency, units)
        }
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }
}
