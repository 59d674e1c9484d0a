/// Base64url without padding (RFC 4648 section 5; RFC 7515 section 2), strict in both directions.
package enum Base64URL {
    /// The bytes of `text`. Nil for padding, white space or any other character outside the alphabet, for a length
    /// that leaves one character over, and for unused bits that are not zero: one byte sequence has one text.
    package static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        unsafe Base64Alphabet.url.decode(text)
    }

    /// The bytes of `text`, or nil; see ``decode(_:)-(UnsafeRawBufferPointer)``.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        unsafe text.withUnsafeBytes { unsafe decode($0) }
    }

    /// The bytes of `text`, or nil; see ``decode(_:)-(UnsafeRawBufferPointer)``.
    package static func decode(_ text: some Sequence<UInt8>) -> [UInt8]? {
        let direct = text.withContiguousStorageIfAvailable { unsafe decode(UnsafeRawBufferPointer($0)) }
        if let direct { return direct }
        return unsafe Array(text).withUnsafeBytes { unsafe decode($0) }
    }

    /// The text of `bytes`, as ASCII.
    package static func encode(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        unsafe Base64Alphabet.url.encode(bytes, padding: false)
    }

    /// The text of `bytes`, as ASCII.
    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        unsafe bytes.withUnsafeBytes { unsafe encode($0) }
    }
}
