internal import CLibcrypto

/// Owns one `X509`.
///
/// Unchecked: the pointer is constant; libcrypto's cached view of the extensions is computed before the handle is
/// shared, and nothing changes the certificate afterwards.
@safe final class CertificateHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes ownership of `pointer`.
    init(taking pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
        // Purpose -1 checks nothing and fills the cache of extension flags (X509_check_purpose manual page).
        unsafe _ = X509_check_purpose(pointer, -1, 0)
    }

    deinit {
        unsafe X509_free(pointer)
    }

    /// The DER encoding as libcrypto writes it.
    func encoded() throws(X509Error) -> [UInt8] {
        let count = unsafe i2d_X509(pointer, nil)
        guard count > 0 else { throw .library("encode a certificate") }
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(count)) { output, initialized in
            var cursor = output.baseAddress
            initialized = unsafe Int(i2d_X509(pointer, &cursor))
        }
    }
}
