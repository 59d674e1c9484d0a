internal import CLibcrypto

/// Comparisons whose duration does not depend on where two secrets differ.
package enum ConstantTime {
    /// Whether both are the same bytes. The lengths may be learned from the time taken, the contents not.
    package static func isEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        return unsafe left.withUnsafeBytes { leftBytes in
            unsafe right.withUnsafeBytes { rightBytes in
                unsafe CRYPTO_memcmp(leftBytes.baseAddress, rightBytes.baseAddress, leftBytes.count) == 0
            }
        }
    }

    /// Whether both are the same digest.
    package static func isEqual(_ left: SHA256Digest, _ right: SHA256Digest) -> Bool {
        unsafe left.withUnsafeBytes { leftBytes in
            unsafe right.withUnsafeBytes { rightBytes in
                unsafe CRYPTO_memcmp(leftBytes.baseAddress, rightBytes.baseAddress, leftBytes.count) == 0
            }
        }
    }
}
