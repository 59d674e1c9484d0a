extension Certificate {
    private static let label = "CERTIFICATE"

    /// Reads the one certificate of a PEM text.
    ///
    /// Throws ``X509Error/malformedCertificate(_:)`` when the text holds none or more than one.
    package init(pem: String) throws(X509Error) {
        let certificates = try Self.load(pem: pem)
        guard certificates.count == 1 else {
            throw .malformedCertificate("the PEM text holds \(certificates.count) certificates where one is expected")
        }
        self = certificates[0]
    }

    /// Reads all certificates of a PEM text, in order; at least one.
    ///
    /// Throws ``X509Error/malformedCertificate(_:)`` when there is none or one cannot be read.
    package static func load(pem: String) throws(X509Error) -> [Certificate] {
        guard let blocks = PEM.blocks(label, in: pem) else {
            throw .malformedCertificate("a CERTIFICATE block of the PEM text is not closed or not base64")
        }
        guard !blocks.isEmpty else {
            throw .malformedCertificate("the text holds no BEGIN CERTIFICATE line")
        }
        var certificates: [Certificate] = []
        for block in blocks { certificates.append(try Certificate(der: block)) }
        return certificates
    }

    /// Reads the contents of a certificate file: one DER certificate, or PEM text with one or more.
    ///
    /// Throws ``X509Error/malformedCertificate(_:)`` when it is neither.
    package static func load(file bytes: [UInt8]) throws(X509Error) -> [Certificate] {
        // A DER certificate is a SEQUENCE with a length of two bytes or more; the second byte is never text.
        if bytes.starts(with: [0x30, 0x82]) { return [try Certificate(der: bytes)] }
        return try load(pem: String(decoding: bytes, as: UTF8.self))
    }

    /// The certificate as PEM text.
    package var pem: String { PEM.text(Self.label, der) }
}
