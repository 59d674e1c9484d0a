/// The grammar of RFC 8259 as a position in a document: parser, scanner and source map all walk with it.
///
/// Every function takes the same bytes; nothing is copied and nothing is built here.
struct JSONCursor {
    /// Deeper nesting is refused whatever the caller asks for, as recursion must not end in a stack overflow.
    static let hardMaximumDepth = 512

    /// The next byte to look at.
    var offset = 0
    let maxDepth: Int

    init(maxDepth: Int) {
        self.maxDepth = max(1, min(maxDepth, JSONCursor.hardMaximumDepth))
    }

    func fault(_ reason: JSONSyntaxError.Reason) -> JSONFault {
        JSONFault(offset: offset, reason: reason)
    }

    /// The fault of a place where something else was needed.
    func unexpected(_ bytes: Span<UInt8>) -> JSONFault {
        fault(offset < bytes.count ? .unexpectedCharacter : .unexpectedEnd)
    }

    @inline(__always)
    mutating func skipWhitespace(_ bytes: Span<UInt8>) {
        while offset < bytes.count {
            let byte = bytes[offset]
            if byte > 0x20 || (byte != 0x20 && byte != 0x0A && byte != 0x0D && byte != 0x09) { return }
            offset &+= 1
        }
    }

    /// White space before the value; refuses a byte order mark and an empty document.
    mutating func begin(_ bytes: Span<UInt8>) throws(JSONFault) {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { throw fault(.byteOrderMark) }
        skipWhitespace(bytes)
        if offset == bytes.count { throw fault(.emptyDocument) }
    }

    /// White space after the value and nothing else.
    mutating func end(_ bytes: Span<UInt8>) throws(JSONFault) {
        skipWhitespace(bytes)
        if offset < bytes.count { throw fault(.trailingContent) }
    }

    /// Refuses a container at this depth, 1 for the outermost.
    @inline(__always)
    func checkDepth(_ depth: Int) throws(JSONFault) {
        if depth > maxDepth { throw fault(.tooDeep(limit: maxDepth)) }
    }

    /// Steps over one byte that must be there.
    @inline(__always)
    mutating func expect(_ byte: UInt8, _ bytes: Span<UInt8>) throws(JSONFault) {
        guard offset < bytes.count, bytes[offset] == byte else { throw unexpected(bytes) }
        offset &+= 1
    }

    /// Steps over the word `true`, `false` or `null`.
    @inline(__always)
    mutating func skipWord(_ word: String, _ bytes: Span<UInt8>) throws(JSONFault) {
        for byte in word.utf8 {
            try expect(byte, bytes)
        }
    }

    // MARK: Strings

    /// Reads a string from its opening quote, checks escapes and UTF-8, and stops after the closing quote.
    @inline(__always)
    mutating func string(_ bytes: Span<UInt8>) throws(JSONFault) -> JSONStringToken {
        try expect(UInt8(ascii: "\""), bytes)
        let start = offset
        // The common case: plain ASCII without escapes.
        let index = bytes.endOfPlainText(from: start)
        if index < bytes.count, bytes[index] == UInt8(ascii: "\"") {
            offset = index &+ 1
            return JSONStringToken(range: start..<index, hasEscapes: false)
        }
        offset = index
        return try restOfString(bytes, start: start)
    }

    private mutating func restOfString(_ bytes: Span<UInt8>, start: Int) throws(JSONFault) -> JSONStringToken {
        var hasEscapes = false
        var combined: UInt8 = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            combined |= byte
            if byte == UInt8(ascii: "\"") {
                if combined >= 0x80 { try checkUTF8(bytes, start..<offset) }
                offset += 1
                return JSONStringToken(range: start..<(offset - 1), hasEscapes: hasEscapes)
            }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                try skipEscape(bytes)
            } else if byte < 0x20 {
                throw fault(.controlCharacter)
            } else {
                offset += 1
            }
        }
        throw fault(.unexpectedEnd)
    }

    private mutating func skipEscape(_ bytes: Span<UInt8>) throws(JSONFault) {
        guard offset + 1 < bytes.count else {
            offset = bytes.count
            throw fault(.unexpectedEnd)
        }
        switch bytes[offset + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            offset += 2
        case UInt8(ascii: "u"):
            for index in (offset + 2)..<(offset + 6) {
                guard index < bytes.count else {
                    offset = bytes.count
                    throw fault(.unexpectedEnd)
                }
                guard JSONStringToken.hexadecimalDigit(bytes[index]) != nil else { throw fault(.invalidEscape) }
            }
            offset += 6
        default:
            throw fault(.invalidEscape)
        }
    }

    private func checkUTF8(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(JSONFault) {
        do {
            _ = try UTF8Span(validating: bytes.extracting(range))
        } catch {
            throw JSONFault(offset: range.lowerBound + error.byteOffsets.lowerBound, reason: .invalidUTF8)
        }
    }

    // MARK: Numbers

    /// Steps over a number.
    @inline(__always)
    mutating func skipNumber(_ bytes: Span<UInt8>) throws(JSONFault) {
        if bytes[offset] == UInt8(ascii: "-") { offset &+= 1 }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "0") {
            offset &+= 1
            if offset < bytes.count, bytes[offset] &- 0x30 <= 9 { throw fault(.invalidNumber) }
        } else {
            try skipDigits(bytes)
        }
        guard offset < bytes.count else { return }
        if bytes[offset] == UInt8(ascii: ".") {
            offset &+= 1
            try skipDigits(bytes)
        }
        guard offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") else { return }
        offset &+= 1
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "+") || bytes[offset] == UInt8(ascii: "-") {
            offset &+= 1
        }
        try skipDigits(bytes)
    }

    @inline(__always)
    private mutating func skipDigits(_ bytes: Span<UInt8>) throws(JSONFault) {
        let start = offset
        while offset < bytes.count, bytes[offset] &- 0x30 <= 9 { offset &+= 1 }
        if offset == start { throw fault(offset < bytes.count ? .invalidNumber : .unexpectedEnd) }
    }

    // MARK: Any value

    /// Steps over any value with the same checks as reading it; `depth` is that of the container around it.
    mutating func skipValue(_ bytes: Span<UInt8>, depth: Int) throws(JSONFault) {
        guard offset < bytes.count else { throw fault(.unexpectedEnd) }
        switch bytes[offset] {
        case UInt8(ascii: "\""): _ = try string(bytes)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try skipNumber(bytes)
        case UInt8(ascii: "t"): try skipWord("true", bytes)
        case UInt8(ascii: "f"): try skipWord("false", bytes)
        case UInt8(ascii: "n"): try skipWord("null", bytes)
        case UInt8(ascii: "{"):
            try checkDepth(depth + 1)
            guard try enter(UInt8(ascii: "}"), bytes) else { return }
            repeat {
                _ = try string(bytes)
                try colon(bytes)
                try skipValue(bytes, depth: depth + 1)
            } while try moreElements(UInt8(ascii: "}"), bytes)
        case UInt8(ascii: "["):
            try checkDepth(depth + 1)
            guard try enter(UInt8(ascii: "]"), bytes) else { return }
            repeat {
                try skipValue(bytes, depth: depth + 1)
            } while try moreElements(UInt8(ascii: "]"), bytes)
        default:
            throw fault(.unexpectedCharacter)
        }
    }

    /// Steps over an opening bracket; false when the container is empty (its end is then passed too).
    @inline(__always)
    mutating func enter(_ close: UInt8, _ bytes: Span<UInt8>) throws(JSONFault) -> Bool {
        offset &+= 1
        skipWhitespace(bytes)
        guard offset < bytes.count else { throw fault(.unexpectedEnd) }
        guard bytes[offset] == close else { return true }
        offset &+= 1
        return false
    }

    /// Steps over the colon between name and value.
    @inline(__always)
    mutating func colon(_ bytes: Span<UInt8>) throws(JSONFault) {
        skipWhitespace(bytes)
        try expect(UInt8(ascii: ":"), bytes)
        skipWhitespace(bytes)
    }

    /// Steps over the comma before the next element, or over the closing bracket: then false.
    @inline(__always)
    mutating func moreElements(_ close: UInt8, _ bytes: Span<UInt8>) throws(JSONFault) -> Bool {
        skipWhitespace(bytes)
        guard offset < bytes.count else { throw fault(.unexpectedEnd) }
        let byte = bytes[offset]
        if byte == close {
            offset &+= 1
            return false
        }
        guard byte == UInt8(ascii: ",") else { throw fault(.unexpectedCharacter) }
        offset &+= 1
        skipWhitespace(bytes)
        return true
    }
}
