/// A certificate authority of one's own: makes roots, and certificates below them, for development and tests.
package struct CertificateIssuer: Sendable {
    /// The authority's certificate.
    package let certificate: Certificate
    /// The authority's private key.
    package let key: ECPrivateKey

    /// An authority with an existing certificate and its key.
    package init(certificate: Certificate, key: ECPrivateKey) {
        self.certificate = certificate
        self.key = key
    }

    /// A certificate that `key` signs for itself.
    package static func selfSigned(_ template: CertificateTemplate, key: ECPrivateKey) throws(X509Error) -> Certificate
    {
        try make(template, subjectKey: key, issuer: nil, issuerKey: key)
    }

    /// A certificate for the public half of `subjectKey`, signed by this authority.
    ///
    /// Nothing stops an issuer from signing what it should not: tests need bad chains as well as good ones.
    package func issue(_ template: CertificateTemplate, to subjectKey: ECPrivateKey) throws(X509Error) -> Certificate {
        try Self.make(template, subjectKey: subjectKey, issuer: certificate, issuerKey: key)
    }

    private static func make(
        _ template: CertificateTemplate,
        subjectKey: ECPrivateKey,
        issuer: Certificate?,
        issuerKey: ECPrivateKey
    ) throws(X509Error) -> Certificate {
        let builder = try CertificateBuilder()
        if let serialNumber = template.serialNumber {
            try builder.setSerialNumber(serialNumber)
        } else {
            try builder.setSerialNumber(randomSerialNumber())
        }
        try builder.setValidity(template.validity)
        try builder.setSubject(commonName: template.commonName, organization: template.organization)
        try builder.setPublicKey(of: subjectKey)
        try builder.setIssuer(issuer)
        try builder.add(template.authority)
        if template.includesKeyIdentifiers { try builder.addKeyIdentifiers(issuer: issuer) }
        for marker in template.markers { try builder.add(marker) }
        return try builder.sign(with: issuerKey, digest: template.digest)
    }

    private static func randomSerialNumber() throws(X509Error) -> UInt64 {
        let number = try SecureRandom.bytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // Positive, as RFC 5280 section 4.1.2.2 wants it.
        return number >> 1 | 1
    }
}
