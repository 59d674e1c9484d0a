package import JSON
package import X509

/// The content of a signed statement whose signature and certificates are good. Only a ``SignedStatementVerifier`` makes
/// one.
///
/// Verified means: these bytes were signed by the holder of a trusted certificate. It does not mean that the statement
/// is about one of our apps or of an accepted environment; that is for the caller to check, together with ``trust``.
package struct VerifiedStatement: Sendable {
    /// The decoded payload, a JSON object, exactly as signed.
    package let payload: [UInt8]
    /// The payload as a tree.
    package let object: JSONObject
    /// SHA-256 over the whole text: goes on from the hash that was verified, so it costs next to nothing.
    package let textDigest: SHA256Digest
    /// When it was signed, in milliseconds since 1970: `signedDate`, else `receiptCreationDate` (in an app
    /// transaction), rounded down to the millisecond. Nil when the payload has neither.
    package let signedAt: Int64?
    /// Who vouches for it.
    package let trust: StatementTrust
    /// Names the certificates: see `ValidatedChain.fingerprint`; under ``StatementTrust/xcode`` the fingerprint of the one
    /// certificate.
    package let chainFingerprint: SHA256Digest

    /// SHA-256 over ``payload``: the statement's identity where it has no other. Computed at every call.
    package var payloadDigest: SHA256Digest { SHA256.hash(payload) }

    /// The payload as a tree.
    package var json: JSONValue { .object(object) }
}
