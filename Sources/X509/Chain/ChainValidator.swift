/// Decides whether a leaf and an intermediate chain to one of the configured roots.
///
/// The only anchors are the roots given here; nothing that comes with a statement can become one. A path has exactly
/// three certificates, the leaf's key is on P-256, and leaf and intermediate each bear the extension that marks
/// their role.
package struct ChainValidator: Sendable {
    private let anchors: [TrustAnchor]

    /// RSA keys of an authority: below is weak, above only costs time.
    private static let acceptedRSABits = 2_048...8_192

    /// A validator that trusts `roots` alone.
    ///
    /// Throws ``X509Error/malformedCertificate(_:)`` when there is none, or one is not self-signed or not a
    /// certificate authority.
    package init(roots: [Certificate]) throws(X509Error) {
        guard !roots.isEmpty else { throw .malformedCertificate("at least one root is needed") }
        var anchors: [TrustAnchor] = []
        for root in roots { anchors.append(try TrustAnchor(root)) }
        self.anchors = anchors
    }

    /// Checks everything, dates included: all three certificates must be valid at `instant`, in milliseconds since
    /// 1970. A failure of dates is reported only when everything else holds.
    ///
    /// `leafMarker` and `intermediateMarker` are object identifiers in dotted digits. Throws only when libcrypto
    /// fails.
    package func validate(
        leaf: Certificate,
        intermediate: Certificate,
        at instant: Int64,
        leafMarker: String,
        intermediateMarker: String
    ) throws(X509Error) -> ChainResult {
        let result = try validate(
            leaf: leaf,
            intermediate: intermediate,
            leafMarker: leafMarker,
            intermediateMarker: intermediateMarker
        )
        guard case .valid(let chain) = result, let failure = chain.failure(at: instant) else { return result }
        return .invalid(failure)
    }

    /// Checks everything but the dates; ask ``ValidatedChain/failure(at:)`` about them before using the key.
    package func validate(
        leaf: Certificate,
        intermediate: Certificate,
        leafMarker: String,
        intermediateMarker: String
    ) throws(X509Error) -> ChainResult {
        // Cheap refusals first: a forger should cost no signature check.
        guard leaf.hasExtension(oid: leafMarker) else { return .invalid(.missingMarker(.leaf)) }
        guard intermediate.hasExtension(oid: intermediateMarker) else { return .invalid(.missingMarker(.intermediate)) }
        guard let publicKey = P256PublicKey(leaf) else { return .invalid(.unsupportedKey(.leaf)) }
        guard Self.isAccepted(intermediate.publicKeyKind) else { return .invalid(.unsupportedKey(.intermediate)) }
        guard !leaf.hasUnhandledCriticalExtension else { return .invalid(.unhandledCriticalExtension(.leaf)) }
        guard !intermediate.hasUnhandledCriticalExtension else {
            return .invalid(.unhandledCriticalExtension(.intermediate))
        }
        guard intermediate.isCertificateAuthority else { return .invalid(.notACertificateAuthority(.intermediate)) }
        guard leaf.namesIssuer(intermediate) else { return .invalid(.issuerMismatch) }

        let candidates = anchors.filter { intermediate.namesIssuer($0.certificate) }
        guard !candidates.isEmpty else { return .invalid(.unknownRoot) }
        var roots: [Certificate] = []
        var failures: [ChainFailure] = []
        for anchor in candidates {
            if let failure = try anchor.failure(leaf: leaf, intermediate: intermediate) {
                failures.append(failure)
            } else {
                roots.append(anchor.certificate)
            }
        }
        guard !roots.isEmpty else { return .invalid(failures[0]) }
        return .valid(ValidatedChain(leaf: leaf, intermediate: intermediate, roots: roots, publicKey: publicKey))
    }

    private static func isAccepted(_ key: PublicKeyKind) -> Bool {
        switch key {
        case .p256, .p384, .p521: true
        case .rsa(let bits): acceptedRSABits.contains(bits)
        case .ed25519, .other: false
        }
    }
}
