/// The place of a string's content between its quotes, and whether it needs unescaping. The content is checked UTF-8.
package struct JSONStringToken: Sendable, Hashable {
    /// The bytes between the quotes.
    package let range: Range<Int>
    /// Whether a backslash occurs.
    package let hasEscapes: Bool

    /// The text the token stands for.
    @inline(__always)
    func text(_ bytes: Span<UInt8>) -> String {
        hasEscapes ? unescaped(bytes) : String(validated: bytes.extracting(range))
    }

    /// Replaces the escapes. A surrogate escape without its partner becomes U+FFFD.
    private func unescaped(_ bytes: Span<UInt8>) -> String {
        var buffer: [UInt8] = []
        buffer.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            index += 1
            guard byte == UInt8(ascii: "\\") else {
                buffer.append(byte)
                continue
            }
            let escape = bytes[index]
            index += 1
            switch escape {
            case UInt8(ascii: "b"): buffer.append(0x08)
            case UInt8(ascii: "f"): buffer.append(0x0C)
            case UInt8(ascii: "n"): buffer.append(0x0A)
            case UInt8(ascii: "r"): buffer.append(0x0D)
            case UInt8(ascii: "t"): buffer.append(0x09)
            case UInt8(ascii: "u"):
                let scalar = escapedScalar(bytes, &index)
                buffer.append(contentsOf: Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
            default: buffer.append(escape)
            }
        }
        return String(validated: buffer.span)
    }

    /// Reads the four digits after \u, and a second escape when the first is the high half of a pair.
    private func escapedScalar(_ bytes: Span<UInt8>, _ index: inout Int) -> Unicode.Scalar {
        let first = JSONStringToken.hexadecimal(bytes, index)
        index += 4
        if let scalar = Unicode.Scalar(first) { return scalar }
        guard first < 0xDC00, index + 6 <= range.upperBound,
            bytes[index] == UInt8(ascii: "\\"), bytes[index + 1] == UInt8(ascii: "u")
        else { return "\u{FFFD}" }
        let second = JSONStringToken.hexadecimal(bytes, index + 2)
        guard second >= 0xDC00, second <= 0xDFFF else { return "\u{FFFD}" }
        index += 6
        return Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)) ?? "\u{FFFD}"
    }

    private static func hexadecimal(_ bytes: Span<UInt8>, _ start: Int) -> UInt32 {
        var value: UInt32 = 0
        for index in start..<(start + 4) {
            value = value << 4 | UInt32(hexadecimalDigit(bytes[index]) ?? 0)
        }
        return value
    }

    /// The value of a hexadecimal digit; nil for any other byte.
    static func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}

extension String {
    /// A string of bytes that were checked before; should they not be UTF-8 after all, they are repaired.
    @inline(__always)
    init(validated bytes: Span<UInt8>) {
        if let span = try? UTF8Span(validating: bytes) {
            self.init(copying: span)
        } else {
            self.init(decoding: (0..<bytes.count).map { bytes[$0] }, as: UTF8.self)
        }
    }
}
