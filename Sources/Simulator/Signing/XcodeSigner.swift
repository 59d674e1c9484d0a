package import X509

/// Signs statements as StoreKit Testing in Xcode does: one self-signed certificate, which alone stands in the header.
package struct XcodeSigner: Sendable {
    /// The certificate, to be configured as trusted for the environment Xcode.
    package let certificate: Certificate
    /// The key that signs statements.
    package let key: P256PrivateKey

    /// Makes a new key and its certificate, valid in `validity`.
    ///
    /// Throws only when libcrypto fails.
    package static func make(validity: CertificateValidity) throws(X509Error) -> XcodeSigner {
        let key = try P256PrivateKey.generate()
        let template = CertificateTemplate(
            commonName: "StoreKit Testing in Xcode",
            validity: validity,
            authority: .unstated
        )
        return XcodeSigner(certificate: try CertificateIssuer.selfSigned(template, key: key.key), key: key)
    }

    /// A signer with an existing certificate and its key.
    package init(certificate: Certificate, key: P256PrivateKey) {
        self.certificate = certificate
        self.key = key
    }

    /// Signs statements under this certificate.
    package var signer: StatementSigner {
        let members = "\"kid\":\"Apple_Xcode_Key\",\"typ\":\"JWT\","
        return StatementSigner(
            header: StatementSigner.header(certificates: [certificate], extra: members),
            key: key
        )
    }
}
