internal import CLibcrypto

/// Owns one `EVP_PKEY`.
///
/// Unchecked: the pointer is constant and the key is never changed after it is made; libcrypto allows concurrent
/// use of such a key.
@safe final class EVPKeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes ownership of `pointer`.
    init(taking pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }

    /// Reads a private key from PEM text: PKCS#8 (`PRIVATE KEY`) or the older `EC PRIVATE KEY`. Encrypted keys are
    /// refused; nobody is asked for a password.
    static func privateKey(pem: String) throws(X509Error) -> EVPKeyHandle {
        try unsafe MemoryBIO.reading(Array(pem.utf8)) { stream throws(X509Error) in
            guard let key = unsafe PEM_read_bio_PrivateKey(stream, nil, { _, _, _, _ in -1 }, nil) else {
                throw .malformedKey("no unencrypted private key in PEM form (\(LibraryErrors.takeReason()))")
            }
            return unsafe EVPKeyHandle(taking: key)
        }
    }

    /// The private key as unencrypted PKCS#8 PEM text.
    func privateKeyPEM() throws(X509Error) -> String {
        let bytes = try unsafe MemoryBIO.written("write a private key") { stream in
            unsafe PEM_write_bio_PKCS8PrivateKey(stream, pointer, nil, nil, 0, nil, nil) == 1
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
