/// A SHA-256 digest: 32 bytes held in place, without an allocation.
package struct SHA256Digest: Hashable, Sendable, CustomStringConvertible {
    /// The number of bytes in a digest.
    package static let byteCount = 32

    // The words lie in memory in the order of the digest's bytes.
    private var word0: UInt64 = 0
    private var word1: UInt64 = 0
    private var word2: UInt64 = 0
    private var word3: UInt64 = 0

    /// A digest from its 32 bytes; nil for any other count.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        unsafe self.init { buffer in
            unsafe buffer.copyBytes(from: bytes)
        }
    }

    /// A digest whose 32 bytes are all written by `fill`.
    init(filledBy fill: (UnsafeMutableRawBufferPointer) -> Void) {
        unsafe withUnsafeMutableBytes(of: &self) { unsafe fill($0) }
    }

    /// The 32 bytes.
    package var bytes: [UInt8] {
        unsafe withUnsafeBytes { unsafe Array($0) }
    }

    /// Lends the 32 bytes without copying them.
    package func withUnsafeBytes<Result, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe Swift.withUnsafeBytes(of: self) { buffer throws(Failure) in try unsafe body(buffer) }
    }

    /// 64 lower-case hexadecimal digits.
    package var description: String {
        unsafe withUnsafeBytes { unsafe Hexadecimal.text($0) }
    }
}
