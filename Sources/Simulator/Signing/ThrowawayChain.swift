import AppStore
package import X509

/// A certificate authority that stands in for Apple's: root, intermediate and leaf with the App Store's markers, and their
/// keys. Trusted by nobody until its root is configured.
package struct ThrowawayChain: Sendable {
    /// The root, to be configured as trusted.
    package let root: CertificateIssuer
    /// The intermediate, issued by ``root``.
    package let intermediate: CertificateIssuer
    /// The certificate of ``key``, issued by ``intermediate``.
    package let leaf: Certificate
    /// The key that signs statements.
    package let key: P256PrivateKey

    /// Authorities on P-384 above a leaf on P-256, as Apple has them.
    private static let authorityCurve = EllipticCurve.p384

    /// Makes new keys and certificates, all valid in `validity`.
    ///
    /// Throws only when libcrypto fails.
    package static func make(validity: CertificateValidity) throws(X509Error) -> ThrowawayChain {
        let rootKey = try ECPrivateKey.generate(authorityCurve)
        let rootTemplate = CertificateTemplate(
            commonName: "Throwaway Root",
            organization: "entitled simulator",
            validity: validity,
            authority: .certificateAuthority(pathLength: nil)
        )
        let root = CertificateIssuer(
            certificate: try CertificateIssuer.selfSigned(rootTemplate, key: rootKey),
            key: rootKey
        )
        let intermediateKey = try ECPrivateKey.generate(authorityCurve)
        let intermediateTemplate = CertificateTemplate(
            commonName: "Throwaway Intermediate",
            organization: "entitled simulator",
            validity: validity,
            authority: .certificateAuthority(pathLength: 0),
            markers: [CertificateTemplate.Marker(oid: StatementMarker.intermediate)]
        )
        let intermediate = CertificateIssuer(
            certificate: try root.issue(intermediateTemplate, to: intermediateKey),
            key: intermediateKey
        )
        let key = try P256PrivateKey.generate()
        let leafTemplate = CertificateTemplate(
            commonName: "Throwaway Statement Signer",
            organization: "entitled simulator",
            validity: validity,
            markers: [CertificateTemplate.Marker(oid: StatementMarker.leaf)]
        )
        return ThrowawayChain(
            root: root,
            intermediate: intermediate,
            leaf: try intermediate.issue(leafTemplate, to: key.key),
            key: key
        )
    }

    /// A chain of existing certificates and keys. Nothing is checked: faulty chains are wanted too.
    package init(root: CertificateIssuer, intermediate: CertificateIssuer, leaf: Certificate, key: P256PrivateKey) {
        self.root = root
        self.intermediate = intermediate
        self.leaf = leaf
        self.key = key
    }

    /// Signs statements under this chain; the header lists all three certificates, as the App Store's does.
    package var signer: StatementSigner {
        StatementSigner(certificates: [leaf, intermediate.certificate, root.certificate], key: key)
    }
}
