import EntitlementDomain
import JSON
import X509

/// One signed text of a statement, verified and decoded.
struct SignedPart<Payload> {
    let content: Payload
    private let payload: [UInt8]
    /// SHA-256 over the signed text.
    let textDigest: SHA256Digest
    let trust: StatementTrust
    /// The environment that the payload itself names.
    let environment: StoreEnvironment?

    init(_ verified: VerifiedStatement, content: Payload, environment: StoreEnvironment?) {
        self.content = content
        self.environment = environment
        payload = verified.payload
        textDigest = verified.textDigest
        trust = verified.trust
    }

    /// SHA-256 over the payload, computed at every call.
    var digest: SHA256Digest { SHA256.hash(payload) }
}
