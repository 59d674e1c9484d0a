internal import CLibcrypto

/// Bytes sealed with a key: AES-256 in Galois/Counter Mode (NIST SP 800-38D). A box is a random nonce of 12 bytes, the
/// sealed bytes, and a tag of 16 bytes.
package enum SealedBox {
    /// The number of bytes in a key.
    package static let keyByteCount = 32

    private static let nonceByteCount = 12
    private static let tagByteCount = 16

    /// Seals bytes.
    ///
    /// Throws ``X509Error/malformedKey(_:)`` for a key of another length.
    package static func seal(_ bytes: [UInt8], key: [UInt8]) throws(X509Error) -> [UInt8] {
        guard key.count == keyByteCount else { throw .malformedKey("a sealing key has 32 bytes, not \(key.count)") }
        let nonce = try SecureRandom.bytes(nonceByteCount)
        guard let context = unsafe EVP_CIPHER_CTX_new() else { throw .library("seal") }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        var isGood = unsafe EVP_EncryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1
        var tag = [UInt8](repeating: 0, count: tagByteCount)
        let sealed = unsafe [UInt8](unsafeUninitializedCapacity: bytes.count) { output, initialized in
            unsafe output.initialize(repeating: 0)
            initialized = bytes.count
            var (count, last): (Int32, Int32) = (0, 0)
            isGood =
                unsafe isGood && EVP_EncryptUpdate(context, output.baseAddress, &count, bytes, Int32(bytes.count)) == 1
            isGood = unsafe isGood && EVP_EncryptFinal_ex(context, nil, &last) == 1
        }
        isGood = unsafe isGood && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_GET_TAG, Int32(tagByteCount), &tag) == 1
        guard isGood else { throw .library("seal") }
        return nonce + sealed + tag
    }

    /// The bytes in a box; nil: it was sealed with another key, or changed.
    package static func open(_ box: [UInt8], key: [UInt8]) -> [UInt8]? {
        let count = box.count - nonceByteCount - tagByteCount
        guard key.count == keyByteCount, count >= 0, let context = unsafe EVP_CIPHER_CTX_new() else { return nil }
        defer { unsafe EVP_CIPHER_CTX_free(context) }
        defer { LibraryErrors.discard() }
        let nonce = Array(box[..<nonceByteCount])
        let sealed = Array(box[nonceByteCount..<nonceByteCount + count])
        var tag = Array(box.suffix(tagByteCount))
        var isGood = unsafe EVP_DecryptInit_ex(context, EVP_aes_256_gcm(), nil, key, nonce) == 1
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
            unsafe output.initialize(repeating: 0)
            initialized = count
            var (done, last): (Int32, Int32) = (0, 0)
            isGood = unsafe isGood && EVP_DecryptUpdate(context, output.baseAddress, &done, sealed, Int32(count)) == 1
            isGood = unsafe isGood && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_GCM_SET_TAG, Int32(tagByteCount), &tag) == 1
            isGood = unsafe isGood && EVP_DecryptFinal_ex(context, nil, &last) == 1
        }
        return isGood ? bytes : nil
    }
}
