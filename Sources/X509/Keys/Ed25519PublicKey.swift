internal import CLibcrypto

/// A public key for Ed25519 (RFC 8032).
package struct Ed25519PublicKey: Sendable, Equatable {
    /// The number of bytes in a signature.
    package static let signatureByteCount = 64

    /// The key's 32 bytes, as RFC 8032 section 5.1.5 encodes them.
    package let bytes: [UInt8]

    private let handle: EVPKeyHandle

    /// The key with these 32 bytes.
    ///
    /// Throws ``X509Error/malformedKey(_:)`` for any other count.
    package init(bytes: [UInt8]) throws(X509Error) {
        let pointer = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, buffer.baseAddress, buffer.count)
        }
        guard let pointer = unsafe pointer else {
            LibraryErrors.discard()
            throw .malformedKey("an Ed25519 public key has 32 bytes, not \(bytes.count)")
        }
        self.bytes = bytes
        handle = unsafe EVPKeyHandle(taking: pointer)
    }

    /// Whether `signature` is this key's signature over `message`. A signature of another length is not valid.
    package func isValidSignature(_ signature: [UInt8], over message: [UInt8]) -> Bool {
        guard signature.count == Self.signatureByteCount, let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        defer { LibraryErrors.discard() }
        guard unsafe EVP_DigestVerifyInit(context, nil, nil, nil, handle.pointer) == 1 else { return false }
        return unsafe signature.withUnsafeBufferPointer { signature in
            unsafe message.withUnsafeBufferPointer { message in
                unsafe EVP_DigestVerify(
                    context,
                    signature.baseAddress,
                    signature.count,
                    message.baseAddress,
                    message.count
                ) == 1
            }
        }
    }

    package static func == (left: Ed25519PublicKey, right: Ed25519PublicKey) -> Bool { left.bytes == right.bytes }
}
