/// Decides whether a leaf and an intermediate chain to one of the configured roots.
///
/// The only anchors are the roots given here; nothing that comes with a statement can become one. A path has exactly
/// three certificates, the leaf's key is on P-256, and leaf and intermediate each bear the extension that marks
/// their role.
package struct ChainValidator: Sendable {
    private let anchors: [TrustAnchor]
    private let strength: ChainStrength

    /// RSA keys of an authority: below is weak, above only costs time.
    private static let acceptedRSABits = 2_048...8_192

    /// A validator that trusts `roots` alone.
    ///
    /// `strength` other than ``ChainStrength/modern`` is for app receipts only.
    ///
    /// Throws ``X509Error/malformedCertificate(_:)`` when there is none, or one is not self-signed or not a
    /// certificate authority.
    package init(roots: [Certificate], strength: ChainStrength = .modern) throws(X509Error) {
        guard !roots.isEmpty else { throw .malformedCertificate("at least one root is needed") }
        var anchors: [TrustAnchor] = []
        for root in roots { anchors.append(try TrustAnchor(root, strength: strength)) }
        self.anchors = anchors
        self.strength = strength
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
        switch try path(leaf: leaf, intermediate: intermediate) {
        case .valid(let path): return .valid(ValidatedChain(path: path, publicKey: publicKey))
        case .invalid(let failure): return .invalid(failure)
        }
    }

    /// Checks everything but the dates of a signer whose key may also be RSA or on another curve, as those of app
    /// receipts are; ask ``CertificatePath/failure(at:)`` about the dates.
    package func validateSigner(
        leaf: Certificate,
        intermediate: Certificate,
        leafMarker: String,
        intermediateMarker: String
    ) throws(X509Error) -> PathResult {
        guard leaf.hasExtension(oid: leafMarker) else { return .invalid(.missingMarker(.leaf)) }
        guard intermediate.hasExtension(oid: intermediateMarker) else { return .invalid(.missingMarker(.intermediate)) }
        guard Self.isAccepted(leaf.publicKeyKind) else { return .invalid(.unsupportedKey(.leaf)) }
        return try path(leaf: leaf, intermediate: intermediate)
    }

    /// The rules that hold whatever the leaf's key is.
    private func path(leaf: Certificate, intermediate: Certificate) throws(X509Error) -> PathResult {
        guard Self.isAccepted(intermediate.publicKeyKind) else { return .invalid(.unsupportedKey(.intermediate)) }
        for (certificate, role) in [(leaf, CertificateRole.leaf), (intermediate, .intermediate)] {
            guard certificate.hasStrongDigest(strength) else {
                return .invalid(.refused(role, reason: "its signature uses a digest that is not accepted"))
            }
            guard !certificate.hasUnhandledCriticalExtension else { return .invalid(.unhandledCriticalExtension(role)) }
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
        return .valid(CertificatePath(leaf: leaf, intermediate: intermediate, roots: roots))
    }

    private static func isAccepted(_ key: PublicKeyKind) -> Bool {
        switch key {
        case .p256, .p384, .p521: true
        case .rsa(let bits): acceptedRSABits.contains(bits)
        case .ed25519, .other: false
        }
    }
}
