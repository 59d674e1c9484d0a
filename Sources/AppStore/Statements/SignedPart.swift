import EntitlementDomain
import JSON
import X509

/// One signed text of a statement, verified and decoded.
struct SignedPart<Payload> {
    let content: Payload
    let digest: SHA256Digest
    let trust: StatementTrust
    /// The environment that the payload itself names.
    let environment: StoreEnvironment?
}
