internal import CLibcrypto

/// Owns one `EC_KEY`.
///
/// Unchecked: the pointer is constant and the key is never changed after it is made; libcrypto allows concurrent
/// signing and verifying with such a key.
@safe final class ECKeyHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes ownership of `pointer`.
    init(taking pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }

    deinit {
        unsafe EC_KEY_free(pointer)
    }

    /// A public key from an encoded point on P-256 (SEC 1 section 2.3.3); nil when it is no such point, or the
    /// point at infinity.
    static func publicKey(p256 point: [UInt8]) -> ECKeyHandle? {
        // The point at infinity is encoded in one byte; the other forms take 33 or 65.
        guard point.count == 33 || point.count == 65 else { return nil }
        defer { LibraryErrors.discard() }
        guard let key = unsafe EC_KEY_new_by_curve_name(NID_X9_62_prime256v1) else { return nil }
        let handle = unsafe ECKeyHandle(taking: key)
        let isGood = unsafe point.withUnsafeBufferPointer { buffer in
            unsafe EC_KEY_oct2key(key, buffer.baseAddress, buffer.count, nil) == 1
        }
        return isGood ? handle : nil
    }
}
