internal import CLibcrypto

/// The public key of a certificate, read without building a key from parameters that the certificate brings along.
struct SubjectPublicKey {
    /// What the key is.
    let kind: PublicKeyKind
    /// The encoded point of a key on a named curve, or the raw bytes of another key.
    let bytes: [UInt8]

    /// Nil when the certificate's key information cannot be read.
    init?(of certificate: CertificateHandle) {
        guard let info = unsafe X509_get_X509_PUBKEY(certificate.pointer) else { return nil }
        var algorithm: OpaquePointer?
        var start: UnsafePointer<UInt8>?
        var count: Int32 = 0
        var identifier: UnsafeMutablePointer<X509_ALGOR>?
        guard unsafe X509_PUBKEY_get0_param(&algorithm, &start, &count, &identifier, info) == 1 else {
            LibraryErrors.discard()
            return nil
        }
        bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: Int(count)))
        kind =
            switch unsafe OBJ_obj2nid(algorithm) {
            case NID_X9_62_id_ecPublicKey: unsafe Self.kind(ofCurve: Self.namedCurve(identifier))
            case NID_ED25519: .ed25519
            case NID_rsaEncryption: Self.rsa(certificate)
            default: .other
            }
    }

    private static func kind(ofCurve name: Int32) -> PublicKeyKind {
        switch name {
        case NID_X9_62_prime256v1: .p256
        case NID_secp384r1: .p384
        case NID_secp521r1: .p521
        default: .other
        }
    }

    private static func rsa(_ certificate: CertificateHandle) -> PublicKeyKind {
        defer { LibraryErrors.discard() }
        guard let key = unsafe X509_get0_pubkey(certificate.pointer) else { return .other }
        return unsafe .rsa(bits: Int(EVP_PKEY_get_bits(key)))
    }

    /// The curve of an algorithm identifier that names one; `NID_undef` when its parameters are anything else, for
    /// example a curve written out number by number.
    private static func namedCurve(_ identifier: UnsafeMutablePointer<X509_ALGOR>?) -> Int32 {
        var name: OpaquePointer?
        var type: Int32 = 0
        var value: UnsafeRawPointer?
        guard let identifier = unsafe identifier else { return NID_undef }
        unsafe X509_ALGOR_get0(&name, &type, &value, identifier)
        guard type == V_ASN1_OBJECT, let value = unsafe value else { return NID_undef }
        return unsafe OBJ_obj2nid(OpaquePointer(value))
    }
}
