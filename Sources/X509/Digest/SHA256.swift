internal import CLibcrypto

/// SHA-256 (FIPS 180-4), in one go or piece by piece.
///
/// A value: a copy taken after some input continues from there, so the digest of a common beginning is computed
/// once.
package struct SHA256: Sendable {
    private var context = SHA256_CTX()

    /// A hash of nothing so far.
    package init() {
        // The low-level calls cannot fail: each returns 1 by definition (SHA256_Init manual page).
        unsafe _ = SHA256_Init(&context)
    }

    /// Adds bytes.
    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard let start = bytes.baseAddress else { return }
        unsafe _ = SHA256_Update(&context, start, bytes.count)
    }

    /// Adds bytes.
    package mutating func update(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBytes { unsafe update($0) }
    }

    /// Adds bytes.
    package mutating func update(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe update($0) }
    }

    /// The digest of everything added. The hash itself stays as it is and may go on.
    package func finalize() -> SHA256Digest {
        var copy = context
        return unsafe SHA256Digest { unsafe _ = SHA256_Final($0.baseAddress, &copy) }
    }

    /// The digest of `bytes`.
    package static func hash(_ bytes: UnsafeRawBufferPointer) -> SHA256Digest {
        var hash = SHA256()
        unsafe hash.update(bytes)
        return hash.finalize()
    }

    /// The digest of `bytes`.
    package static func hash(_ bytes: [UInt8]) -> SHA256Digest {
        unsafe bytes.withUnsafeBytes { unsafe hash($0) }
    }

    /// The digest of `bytes`.
    package static func hash(_ bytes: Span<UInt8>) -> SHA256Digest {
        unsafe bytes.withUnsafeBytes { unsafe hash($0) }
    }
}
