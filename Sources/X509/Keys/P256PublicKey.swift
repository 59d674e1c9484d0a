internal import CLibcrypto

/// A public key on NIST P-256 for ECDSA with SHA-256 (`ES256` of RFC 7518 section 3.4).
package struct P256PublicKey: Sendable {
    /// The number of bytes in a raw signature: r and s, 32 bytes each, big-endian.
    package static let signatureByteCount = 64

    private let key: ECKeyHandle

    init(key: ECKeyHandle) {
        self.key = key
    }

    /// The key of `certificate`; nil when that is no point on P-256.
    package init?(_ certificate: Certificate) {
        guard let information = SubjectPublicKey(of: certificate.handle), information.kind == .p256 else { return nil }
        self.init(point: information.bytes)
    }

    /// The key with this point, encoded as SEC 1 section 2.3.3 says; nil when it is no point on P-256.
    package init?(point: [UInt8]) {
        guard let key = ECKeyHandle.publicKey(p256: point) else { return nil }
        self.init(key: key)
    }

    /// Whether `signature` (64 bytes, r then s) is this key's signature over `digest`. A signature of another form
    /// is not valid.
    package func isValidSignature(_ signature: UnsafeRawBufferPointer, digest: SHA256Digest) -> Bool {
        guard
            signature.count == Self.signatureByteCount,
            let start = unsafe signature.baseAddress?.assumingMemoryBound(to: UInt8.self),
            let parsed = unsafe ECDSA_SIG_new()
        else { return false }
        defer { unsafe ECDSA_SIG_free(parsed) }
        let half = Int32(Self.signatureByteCount / 2)
        guard
            let r = unsafe BN_bin2bn(start, half, nil),
            let s = unsafe BN_bin2bn(start + Int(half), half, nil),
            // Takes ownership of both numbers; it refuses only a missing one.
            unsafe ECDSA_SIG_set0(parsed, r, s) == 1
        else { return false }
        let isValid = unsafe digest.withUnsafeBytes { bytes in
            unsafe ECDSA_do_verify(
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                Int32(bytes.count),
                parsed,
                key.pointer
            ) == 1
        }
        if !isValid { LibraryErrors.discard() }
        return isValid
    }

    /// Whether `signature` (64 bytes, r then s) is this key's signature over `digest`.
    package func isValidSignature(_ signature: Span<UInt8>, digest: SHA256Digest) -> Bool {
        unsafe signature.withUnsafeBytes { unsafe isValidSignature($0, digest: digest) }
    }

    /// Whether `signature` (64 bytes, r then s) is this key's signature over `digest`.
    package func isValidSignature(_ signature: [UInt8], digest: SHA256Digest) -> Bool {
        unsafe signature.withUnsafeBytes { unsafe isValidSignature($0, digest: digest) }
    }

    /// Whether `signature` (64 bytes, r then s) is this key's signature over the SHA-256 digest of `message`.
    package func isValidSignature(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        isValidSignature(signature, digest: SHA256.hash(message))
    }

    /// A table for verifying many signatures; nil when libcrypto cannot make one.
    func pointTable() -> P256PointTable? { P256PointTable(key) }

    /// The point in uncompressed form: 65 bytes, `04`, x, y.
    package var point: [UInt8] {
        unsafe [UInt8](unsafeUninitializedCapacity: 65) { output, initialized in
            initialized = unsafe EC_POINT_point2oct(
                EC_KEY_get0_group(key.pointer),
                EC_KEY_get0_public_key(key.pointer),
                POINT_CONVERSION_UNCOMPRESSED,
                output.baseAddress,
                output.count,
                nil
            )
        }
    }
}

extension P256PublicKey: Equatable {
    package static func == (left: P256PublicKey, right: P256PublicKey) -> Bool { left.point == right.point }
}
