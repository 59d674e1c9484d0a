internal import CLibcrypto

/// Random bytes fit for keys, identifiers and nonces.
package enum SecureRandom {
    /// `count` random bytes from libcrypto's generator, which is seeded by the system.
    ///
    /// Throws only when the system has no randomness to give.
    package static func bytes(_ count: Int) throws(X509Error) -> [UInt8] {
        var isGood = true
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { output, initialized in
            unsafe output.initialize(repeating: 0)
            isGood = unsafe RAND_bytes(output.baseAddress, Int32(count)) == 1
            initialized = count
        }
        guard isGood else { throw .library("draw random bytes") }
        return bytes
    }
}
