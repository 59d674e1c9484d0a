internal import CLibcrypto

/// A PKCS#7 signed message with its content inside (RFC 5652 section 5, of which PKCS#7 is the older form): parsed, and
/// so far believed in nothing. ``verifiedContent()`` checks the signature; whether the signer can be trusted is for a
/// ``ChainValidator`` to say.
package struct SignedMessage {
    /// The signer's certificate, one of those that the message brings.
    package let signer: Certificate
    /// All certificates that the message brings, the signer's among them.
    package let certificates: [Certificate]
    private let handle: MessageHandle

    /// The digests under signatures that are accepted: SHA-1 for the sake of old receipts, and the SHA-2 family.
    static let acceptedDigests: Set<Int32> = [NID_sha1, NID_sha256, NID_sha384, NID_sha512]
    /// Enough for a signer, its authorities and their root; real messages bring three.
    private static let maximumCertificates = 8

    /// Reads a message in BER or DER.
    ///
    /// Throws ``SignedMessageError/malformed(_:)`` when it is no signed data with plain content, exactly one signer, and
    /// that signer's certificate.
    package init(_ bytes: [UInt8]) throws(SignedMessageError) {
        guard let handle = MessageHandle.read(bytes) else {
            throw .malformed("these \(bytes.count) bytes are not one PKCS#7 message")
        }
        guard unsafe OBJ_obj2nid(CMS_get0_type(handle.pointer)) == NID_pkcs7_signed else {
            throw .malformed("it is not of the type signedData")
        }
        guard unsafe OBJ_obj2nid(CMS_get0_eContentType(handle.pointer)) == NID_pkcs7_data,
            let content = unsafe CMS_get0_content(handle.pointer), unsafe content.pointee != nil
        else { throw .malformed("its content is missing or is not plain data") }
        guard unsafe entitled_CMS_signer_count(handle.pointer) == 1,
            let signer = unsafe entitled_CMS_signer_at(handle.pointer, 0)
        else { throw .malformed("it does not have exactly one signer") }
        certificates = try Self.certificates(in: handle)
        defer { LibraryErrors.discard() }
        var certificate: OpaquePointer?
        var digest: UnsafeMutablePointer<X509_ALGOR>?
        guard unsafe CMS_set1_signers_certs(handle.pointer, nil, 0) == 1 else {
            throw .malformed("the certificate of its signer did not come with it")
        }
        unsafe CMS_SignerInfo_get0_algs(signer, nil, &certificate, &digest, nil)
        guard let certificate = unsafe certificate, let digest = unsafe digest else {
            throw .malformed("the certificate of its signer did not come with it")
        }
        var algorithm: OpaquePointer?
        unsafe X509_ALGOR_get0(&algorithm, nil, nil, digest)
        guard unsafe Self.acceptedDigests.contains(OBJ_obj2nid(algorithm)) else {
            throw .malformed("its signature uses a digest that is not accepted")
        }
        guard
            let own = certificates.first(where: { unsafe X509_cmp($0.handle.pointer, certificate) == 0 })
        else { throw .malformed("the certificate of its signer did not come with it") }
        self.signer = own
        self.handle = handle
    }

    /// The content, once its signature was found good.
    ///
    /// Throws ``SignedMessageError/badSignature``.
    package func verifiedContent() throws(SignedMessageError) -> [UInt8] {
        defer { LibraryErrors.discard() }
        guard let stream = unsafe BIO_new(BIO_s_mem()) else { throw .unavailable("libcrypto has no memory") }
        defer { unsafe _ = BIO_free(stream) }
        // The signer's certificate is judged by a `ChainValidator`, not by libcrypto's own idea of trust.
        let flags = UInt32(CMS_BINARY | CMS_NO_SIGNER_CERT_VERIFY)
        guard unsafe CMS_verify(handle.pointer, nil, nil, nil, stream, flags) == 1 else { throw .badSignature }
        var start: UnsafeMutablePointer<CChar>?
        let count = unsafe entitled_BIO_memory(stream, &start)
        guard let start = unsafe start, count > 0 else { return [] }
        return unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
    }

    private static func certificates(in handle: MessageHandle) throws(SignedMessageError) -> [Certificate] {
        guard let stack = unsafe CMS_get1_certs(handle.pointer) else { return [] }
        defer { unsafe entitled_X509_stack_free_all(stack) }
        let count = unsafe entitled_X509_stack_count(stack)
        guard count <= maximumCertificates else { throw .malformed("it brings \(count) certificates") }
        var certificates: [Certificate] = []
        for index in 0..<count {
            guard let pointer = unsafe entitled_X509_stack_at(stack, index), unsafe X509_up_ref(pointer) == 1 else {
                throw .unavailable("libcrypto has no memory")
            }
            do throws(X509Error) {
                certificates.append(try Certificate(der: unsafe CertificateHandle(taking: pointer).encoded()))
            } catch {
                throw .malformed("one of its certificates cannot be read")
            }
        }
        return certificates
    }
}
