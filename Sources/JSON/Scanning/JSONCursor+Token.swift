extension JSONCursor {
    /// Steps over any value and says what it was.
    @inline(__always)
    mutating func token(_ bytes: Span<UInt8>, depth: Int) throws(JSONFault) -> JSONToken {
        guard offset < bytes.count else { throw fault(.unexpectedEnd) }
        let start = offset
        switch bytes[start] {
        case UInt8(ascii: "\""):
            let token = try string(bytes)
            return JSONToken(kind: .string, range: start..<offset, hasEscapes: token.hasEscapes)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try skipNumber(bytes)
            return JSONToken(kind: .number, range: start..<offset, hasEscapes: false)
        default:
            try skipValue(bytes, depth: depth)
            return JSONToken(kind: JSONToken.Kind(firstByte: bytes[start]), range: start..<offset, hasEscapes: false)
        }
    }
}

extension JSONToken.Kind {
    /// The kind of a checked value.
    fileprivate init(firstByte: UInt8) {
        switch firstByte {
        case UInt8(ascii: "{"): self = .object
        case UInt8(ascii: "["): self = .array
        case UInt8(ascii: "\""): self = .string
        case UInt8(ascii: "t"), UInt8(ascii: "f"): self = .bool
        case UInt8(ascii: "n"): self = .null
        default: self = .number
        }
    }
}
