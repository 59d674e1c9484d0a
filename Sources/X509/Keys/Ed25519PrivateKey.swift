internal import CLibcrypto

/// A private key for Ed25519 (RFC 8032; `EdDSA` of RFC 8037).
package struct Ed25519PrivateKey: Sendable {
    /// The key that verifies what this one signs.
    package let publicKey: Ed25519PublicKey

    private let handle: EVPKeyHandle

    /// Makes a new key.
    ///
    /// Throws only when libcrypto has no memory or no randomness.
    package static func generate() throws(X509Error) -> Ed25519PrivateKey {
        try Ed25519PrivateKey(seed: SecureRandom.bytes(32))
    }

    /// The key made of the 32 secret bytes that RFC 8032 section 5.1.5 calls the private key.
    ///
    /// Throws ``X509Error/malformedKey(_:)`` for any other count.
    package init(seed: [UInt8]) throws(X509Error) {
        let pointer = unsafe seed.withUnsafeBufferPointer { buffer in
            unsafe EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, buffer.baseAddress, buffer.count)
        }
        guard let pointer = unsafe pointer else {
            LibraryErrors.discard()
            throw .malformedKey("an Ed25519 private key has 32 bytes, not \(seed.count)")
        }
        try self.init(handle: unsafe EVPKeyHandle(taking: pointer))
    }

    /// Reads an unencrypted PKCS#8 private key in PEM form.
    ///
    /// Throws ``X509Error/malformedKey(_:)`` when it is none, or no Ed25519 key.
    package init(pem: String) throws(X509Error) {
        let handle = try EVPKeyHandle.privateKey(pem: pem)
        guard unsafe EVP_PKEY_get_id(handle.pointer) == EVP_PKEY_ED25519 else {
            throw .malformedKey("an Ed25519 key is expected")
        }
        try self.init(handle: handle)
    }

    private init(handle: EVPKeyHandle) throws(X509Error) {
        var count = 32
        var isGood = false
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
            isGood = unsafe EVP_PKEY_get_raw_public_key(handle.pointer, output.baseAddress, &count) == 1
            initialized = isGood ? count : 0
        }
        guard isGood else { throw .library("read a public key") }
        self.handle = handle
        publicKey = try Ed25519PublicKey(bytes: bytes)
    }

    /// The key as unencrypted PKCS#8 PEM text.
    package func pem() throws(X509Error) -> String { try handle.privateKeyPEM() }

    /// The signature over `message`: 64 bytes. The same message always gets the same signature.
    package func sign(_ message: [UInt8]) throws(X509Error) -> [UInt8] {
        guard let context = unsafe EVP_MD_CTX_new() else { throw .library("sign") }
        defer { unsafe EVP_MD_CTX_free(context) }
        var count = Ed25519PublicKey.signatureByteCount
        var isGood = unsafe EVP_DigestSignInit(context, nil, nil, nil, handle.pointer) == 1
        let signature = unsafe [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
            isGood =
                unsafe isGood
                && message.withUnsafeBufferPointer { message in
                    unsafe EVP_DigestSign(context, output.baseAddress, &count, message.baseAddress, message.count) == 1
                }
            initialized = isGood ? count : 0
        }
        guard isGood else { throw .library("sign") }
        return signature
    }
}
