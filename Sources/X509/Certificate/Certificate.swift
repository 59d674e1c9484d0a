internal import CLibcrypto

/// An X.509 certificate (RFC 5280), parsed and immutable. Nothing is said about whether it can be trusted.
///
/// Equal certificates are equal byte for byte.
package struct Certificate: Sendable {
    let handle: CertificateHandle

    /// The DER encoding, exactly as received.
    package let der: [UInt8]
    /// When it may be used.
    package let validity: CertificateValidity
    /// What its public key is.
    package let publicKeyKind: PublicKeyKind

    /// Reads one DER certificate.
    ///
    /// Throws ``X509Error/malformedCertificate(_:)`` for anything that is not exactly one certificate in canonical
    /// encoding, for extensions that cannot be read, and for extensions in a certificate older than version 3.
    package init(der: [UInt8]) throws(X509Error) {
        let pointer: OpaquePointer? = unsafe der.withUnsafeBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return nil }
            var cursor: UnsafePointer<UInt8>? = unsafe start
            guard let pointer = unsafe d2i_X509(nil, &cursor, buffer.count) else { return nil }
            guard unsafe cursor == start + buffer.count else {
                unsafe X509_free(pointer)
                return nil
            }
            return unsafe pointer
        }
        guard let pointer = unsafe pointer else {
            LibraryErrors.discard()
            throw .malformedCertificate("these \(der.count) bytes are not one DER certificate")
        }
        try self.init(handle: unsafe CertificateHandle(taking: pointer), der: der)
    }

    private init(handle: CertificateHandle, der: [UInt8]) throws(X509Error) {
        // Two encodings of one certificate would be two identities of one thing.
        guard try handle.encoded() == der else {
            throw .malformedCertificate("it is not in canonical DER")
        }
        let flags = unsafe X509_get_extension_flags(handle.pointer)
        guard flags & UInt32(EXFLAG_INVALID) == 0 else {
            LibraryErrors.discard()
            throw .malformedCertificate("its extensions cannot be read")
        }
        guard unsafe X509_get_version(handle.pointer) == 2 || X509_get_ext_count(handle.pointer) <= 0 else {
            throw .malformedCertificate("it has extensions but is not of version 3")
        }
        guard
            let notBefore = unsafe ASN1Time.milliseconds(X509_get0_notBefore(handle.pointer)),
            let notAfter = unsafe ASN1Time.milliseconds(X509_get0_notAfter(handle.pointer))
        else {
            throw .malformedCertificate("its validity dates cannot be read")
        }
        self.handle = handle
        self.der = der
        validity = CertificateValidity(notBefore: notBefore, notAfter: notAfter)
        publicKeyKind = SubjectPublicKey(of: handle)?.kind ?? .other
    }

    /// SHA-256 over the DER encoding: what people call the certificate's fingerprint.
    package var fingerprint: SHA256Digest { SHA256.hash(der) }

    /// The subject's name in the form of RFC 2253, for people.
    package var subject: String { unsafe Self.text(of: X509_get_subject_name(handle.pointer)) }

    /// The issuer's name in the form of RFC 2253, for people.
    package var issuer: String { unsafe Self.text(of: X509_get_issuer_name(handle.pointer)) }

    /// The serial number's magnitude in lower-case hexadecimal.
    package var serialNumber: String {
        let serial = unsafe X509_get0_serialNumber(handle.pointer)
        let count = unsafe Int(ASN1_STRING_length(serial))
        return unsafe Hexadecimal.text(UnsafeRawBufferPointer(start: ASN1_STRING_get0_data(serial), count: count))
    }

    /// Whether basic constraints say that it is a certificate authority (RFC 5280 section 4.2.1.9) and its key
    /// usage, where given, lets it sign certificates.
    package var isCertificateAuthority: Bool {
        // 1 alone stands for basic constraints; higher values are guesses about old certificates.
        unsafe X509_check_ca(handle.pointer) == 1
            && X509_get_key_usage(handle.pointer) & UInt32(KU_KEY_CERT_SIGN) != 0
    }

    /// Whether subject and issuer are the same and its own key made its signature.
    package var isSelfSigned: Bool {
        defer { LibraryErrors.discard() }
        return unsafe X509_self_signed(handle.pointer, 1) == 1
    }

    /// Whether it bears the extension with this object identifier in dotted digits; its value is not looked at.
    package func hasExtension(oid: String) -> Bool {
        guard let oid = OIDHandle(oid) else { return false }
        return unsafe X509_get_ext_by_OBJ(handle.pointer, oid.pointer, -1) >= 0
    }

    /// Whether a critical extension is one that libcrypto does not know how to obey.
    var hasUnhandledCriticalExtension: Bool {
        unsafe X509_get_extension_flags(handle.pointer) & UInt32(EXFLAG_CRITICAL) != 0
    }

    /// Whether the digest under its signature may be used in a chain of this strength. With ``ChainStrength/modern``
    /// libcrypto's own rules decide, which know the algorithms without a separate digest as well.
    func hasStrongDigest(_ strength: ChainStrength) -> Bool {
        if strength == .modern { return true }
        var digest: Int32 = 0
        guard unsafe X509_get_signature_info(handle.pointer, &digest, nil, nil, nil) == 1 else {
            LibraryErrors.discard()
            return false
        }
        return SignedMessage.acceptedDigests.contains(digest)
    }

    /// Whether this certificate names another one, `other`, as its issuer. Says nothing about the signature.
    package func isIssued(inTheNameOf other: Certificate) -> Bool { self != other && namesIssuer(other) }

    /// Whether this certificate names `other` as its issuer. Says nothing about the signature.
    func namesIssuer(_ other: Certificate) -> Bool {
        unsafe X509_NAME_cmp(X509_get_issuer_name(handle.pointer), X509_get_subject_name(other.handle.pointer)) == 0
    }

    private static func text(of name: OpaquePointer?) -> String {
        let bytes = try? unsafe MemoryBIO.written("print a name") { stream in
            unsafe entitled_X509_NAME_print(stream, name) >= 0
        }
        return String(decoding: bytes ?? [], as: UTF8.self)
    }
}

extension Certificate: Hashable {
    package static func == (left: Certificate, right: Certificate) -> Bool { left.der == right.der }

    package func hash(into hasher: inout Hasher) { hasher.combine(der) }
}
