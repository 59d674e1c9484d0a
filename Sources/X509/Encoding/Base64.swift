/// Standard base64 with mandatory padding (RFC 4648 section 4), strict in both directions.
package enum Base64 {
    /// The bytes of `text`. Nil when the length is no multiple of four, for a character outside the alphabet (line
    /// breaks included), for misplaced padding, and for unused bits that are not zero: one byte sequence has one
    /// text.
    package static func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        var end = text.count
        for _ in 0..<2 where end > 0 {
            guard unsafe text[end - 1] == UInt8(ascii: "=") else { break }
            end -= 1
        }
        return unsafe Base64Alphabet.standard.decode(UnsafeRawBufferPointer(rebasing: text[..<end]))
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
        unsafe Base64Alphabet.standard.encode(bytes, padding: true)
    }

    /// The text of `bytes`, as ASCII.
    package static func encode(_ bytes: [UInt8]) -> [UInt8] {
        unsafe bytes.withUnsafeBytes { unsafe encode($0) }
    }
}
