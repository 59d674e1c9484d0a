/// How single values are spelled: shared by the writer, the pretty form and the canonical form.
enum JSONText {
    private static let hexadecimal = Array("0123456789abcdef".utf8)

    /// A string with its quotes; only what RFC 8259 section 7 requires is escaped.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        let span = text.utf8Span.span
        var index = span.endOfPlainText(from: 0)
        while index < span.count, !needsEscape(span[index]) { index &+= 1 }
        if index == span.count {
            bytes.append(contentsOf: text.utf8)
        } else {
            for index in 0..<span.count { append(span[index], to: &bytes) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func append(_ byte: UInt8, to bytes: inout [UInt8]) {
        guard needsEscape(byte) else {
            bytes.append(byte)
            return
        }
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(hexadecimal[Int(byte >> 4)])
            bytes.append(hexadecimal[Int(byte & 15)])
        }
    }

    /// The decimal digits of an integer.
    static func append(_ value: Int64, to bytes: inout [UInt8]) {
        var magnitude = value.magnitude
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let start = bytes.count
        repeat {
            bytes.append(UInt8(truncatingIfNeeded: magnitude % 10) + UInt8(ascii: "0"))
            magnitude /= 10
        } while magnitude > 0
        bytes[start...].reverse()
    }
}
