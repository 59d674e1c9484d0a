/// What a new certificate shall say; a ``CertificateIssuer`` makes it.
package struct CertificateTemplate: Sendable {
    /// An extension that only says "here I am": its value is an ASN.1 NULL.
    package struct Marker: Hashable, Sendable {
        /// The object identifier in dotted digits.
        package var oid: String
        /// Whether a reader that does not know it must refuse the certificate.
        package var isCritical: Bool

        /// A marker with this identifier.
        package init(oid: String, isCritical: Bool = false) {
            self.oid = oid
            self.isCritical = isCritical
        }
    }

    /// What the certificate's holder may do.
    package enum Authority: Hashable, Sendable {
        /// Sign data, but no certificates.
        case endEntity
        /// Sign certificates, with at most this many intermediates below (nil: any number).
        case certificateAuthority(pathLength: Int?)
        /// Basic constraints and key usage are left out altogether.
        case unstated
    }

    /// The subject's common name.
    package var commonName: String
    /// The subject's organization, if any.
    package var organization: String?
    /// When the certificate may be used; written in whole seconds, rounded down.
    package var validity: CertificateValidity
    /// What the holder may do.
    package var authority: Authority
    /// Extra extensions, in this order.
    package var markers: [Marker]
    /// The serial number; nil for a random one.
    package var serialNumber: UInt64?
    /// Whether the certificate names its own and its issuer's key (RFC 5280 sections 4.2.1.1 and 4.2.1.2).
    package var includesKeyIdentifiers: Bool
    /// The digest under the certificate's signature; nil: the one that belongs to the issuer's curve.
    package var digest: SignatureDigest?

    /// A template; the defaults are an end entity without markers and with a random serial number.
    package init(
        commonName: String,
        organization: String? = nil,
        validity: CertificateValidity,
        authority: Authority = .endEntity,
        markers: [Marker] = [],
        serialNumber: UInt64? = nil,
        includesKeyIdentifiers: Bool = true,
        digest: SignatureDigest? = nil
    ) {
        self.commonName = commonName
        self.organization = organization
        self.validity = validity
        self.authority = authority
        self.markers = markers
        self.serialNumber = serialNumber
        self.includesKeyIdentifiers = includesKeyIdentifiers
        self.digest = digest
    }
}
