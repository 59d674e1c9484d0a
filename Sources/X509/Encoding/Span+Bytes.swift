internal import CLibcrypto

/// Searches and comparisons at the speed of the C library.
extension Span<UInt8> {
    /// The offset of the first `byte` at or after `start`; nil when there is none.
    package func firstOffset(of byte: UInt8, from start: Int = 0) -> Int? {
        guard start < count else { return nil }
        return unsafe withUnsafeBytes { bytes in
            guard
                let base = bytes.baseAddress,
                let found = unsafe memchr(base + start, Int32(byte), bytes.count - start)
            else { return nil }
            return unsafe UnsafeRawPointer(found) - base
        }
    }

    /// The bytes as an array of their own.
    package var copiedBytes: [UInt8] {
        unsafe withUnsafeBytes { unsafe [UInt8]($0) }
    }

    /// Whether both hold the same bytes. Not for secrets: the time taken tells where they differ.
    package func hasSameBytes(as other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBytes { left in
            unsafe other.withUnsafeBytes { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return true }
                return unsafe memcmp(left, right, count) == 0
            }
        }
    }
}

extension [UInt8] {
    /// Appends bytes of any owner.
    package mutating func append(copying bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
    }
}
