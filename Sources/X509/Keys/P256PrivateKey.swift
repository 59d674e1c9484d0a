internal import CLibcrypto

/// A private key on NIST P-256 that signs with ECDSA and SHA-256 (`ES256` of RFC 7518 section 3.4).
package struct P256PrivateKey: Sendable {
    /// The same key as certificate functions take it.
    package let key: ECPrivateKey
    /// The key that verifies what this one signs.
    package let publicKey: P256PublicKey

    private let signingKey: ECKeyHandle

    /// Makes a new key.
    ///
    /// Throws only when libcrypto has no memory or no randomness.
    package static func generate() throws(X509Error) -> P256PrivateKey {
        try P256PrivateKey(ECPrivateKey.generate(.p256))
    }

    /// Reads an unencrypted private key in PEM form, PKCS#8 (as App Store Connect hands out `.p8` files) or
    /// `EC PRIVATE KEY`.
    ///
    /// Throws ``X509Error/malformedKey(_:)`` when it is none, or not on P-256.
    package init(pem: String) throws(X509Error) {
        try self.init(ECPrivateKey(pem: pem))
    }

    /// Uses a key on P-256 for signing.
    ///
    /// Throws ``X509Error/malformedKey(_:)`` for a key on another curve.
    package init(_ key: ECPrivateKey) throws(X509Error) {
        guard key.curve == .p256 else { throw .malformedKey("a key on P-256 is expected") }
        guard let pointer = unsafe EVP_PKEY_get1_EC_KEY(key.handle.pointer) else { throw .library("use a key") }
        self.key = key
        signingKey = unsafe ECKeyHandle(taking: pointer)
        publicKey = P256PublicKey(key: signingKey)
    }

    /// The key as unencrypted PKCS#8 PEM text.
    package func pem() throws(X509Error) -> String { try key.pem() }

    /// The signature over the SHA-256 digest of `message`: 64 bytes, r then s, big-endian.
    package func sign(_ message: [UInt8]) throws(X509Error) -> [UInt8] {
        try sign(digest: SHA256.hash(message))
    }

    /// The signature over `digest`: 64 bytes, r then s, big-endian.
    package func sign(digest: SHA256Digest) throws(X509Error) -> [UInt8] {
        let signature = unsafe digest.withUnsafeBytes { bytes in
            unsafe ECDSA_do_sign(
                bytes.baseAddress?.assumingMemoryBound(to: UInt8.self),
                Int32(bytes.count),
                signingKey.pointer
            )
        }
        guard let signature = unsafe signature else { throw .library("sign") }
        defer { unsafe ECDSA_SIG_free(signature) }
        let half = P256PublicKey.signatureByteCount / 2
        return unsafe [UInt8](unsafeUninitializedCapacity: 2 * half) { output, initialized in
            // Both numbers are below the order of the curve, so they fit.
            unsafe _ = BN_bn2binpad(ECDSA_SIG_get0_r(signature), output.baseAddress, Int32(half))
            unsafe _ = BN_bn2binpad(
                ECDSA_SIG_get0_s(signature),
                output.baseAddress.map { unsafe $0 + half },
                Int32(half)
            )
            initialized = 2 * half
        }
    }
}
