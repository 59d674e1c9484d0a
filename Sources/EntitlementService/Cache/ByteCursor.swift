/// Steps through a small JSON text that is expected to be of a plain form: strings of ASCII without escapes, whole numbers.
/// Whatever is not gives nil, and somebody else has to look at it.
struct ByteCursor {
    let bytes: [UInt8]
    private(set) var offset = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Steps over white space.
    @inline(__always)
    mutating func skipSpace() {
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte > 0x20 || (byte != 0x20 && byte != 0x0A && byte != 0x0D && byte != 0x09) { return }
            offset &+= 1
        }
    }

    /// Whether white space is all that is left.
    mutating func isAtEnd() -> Bool {
        skipSpace()
        return offset == bytes.count
    }

    /// Steps over white space and one byte; false when another one comes.
    @inline(__always)
    mutating func skip(_ byte: UInt8) -> Bool {
        skipSpace()
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        offset &+= 1
        return true
    }

    /// Steps over white space and a string, and says where its text is.
    @inline(__always)
    mutating func string() -> Range<Int>? {
        guard skip(UInt8(ascii: "\"")) else { return nil }
        let start = offset
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte == UInt8(ascii: "\"") {
                offset &+= 1
                return start..<offset &- 1
            }
            if byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\\") { return nil }
            offset &+= 1
        }
        return nil
    }

    /// Steps over white space and a whole number of at most 18 digits, and says where it is.
    mutating func number() -> Range<Int>? {
        skipSpace()
        let start = offset
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "-") { offset &+= 1 }
        let first = offset
        while offset < bytes.count, bytes[offset] &- 48 <= 9 { offset &+= 1 }
        let count = offset - first
        guard (1...18).contains(count), count == 1 || bytes[first] != UInt8(ascii: "0") else { return nil }
        return start..<offset
    }

    /// Whether this text stands at a place, which it does not reach beyond the end from.
    @inline(__always)
    func holds(_ text: String, at start: Int) -> Bool {
        var index = start
        for byte in text.utf8 {
            if bytes[index] != byte { return false }
            index &+= 1
        }
        return true
    }

    /// The byte behind white space; nil at the end.
    mutating func peek() -> UInt8? {
        skipSpace()
        return offset < bytes.count ? bytes[offset] : nil
    }
}
