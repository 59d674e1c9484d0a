/// Walks the members of an object without building a tree: for hot paths that want a few values of a known document.
///
/// What is passed over is checked as strictly as by `JSONParser`, to the last byte: a document walked to the end is one
/// the parser accepts.
///
///     var scanner = try JSONScanner(bytes)
///     while let member = try scanner.next() {
///         switch keys.index(of: member.key, in: scanner) {
///         case 0: transactionID = scanner.string(member.value)
///         case 1: purchaseDate = scanner.int64(member.value)
///         default: break
///         }
///     }
package struct JSONScanner: Sendable {
    /// One name and its value, both as places.
    package struct Member: Sendable {
        package let key: JSONStringToken
        package let value: JSONToken
    }

    /// The document.
    package let bytes: [UInt8]
    private var cursor: JSONCursor
    private var state = State.beforeFirst
    /// Where the object ends: members of an inner object are walked in the bytes of the whole document.
    private let isInner: Bool

    private enum State {
        case beforeFirst
        case afterMember
        case ended
    }

    /// Starts at the first member of the document's object.
    ///
    /// - Throws: `JSONSyntaxError`, with the reason `notAnObject` for another kind of value.
    package init(_ bytes: [UInt8], maxDepth: Int = JSONParser.defaultMaximumDepth) throws(JSONSyntaxError) {
        self.bytes = bytes
        cursor = JSONCursor(maxDepth: maxDepth)
        isInner = false
        let span = bytes.span
        do throws(JSONFault) {
            try cursor.begin(span)
            if span[cursor.offset] != UInt8(ascii: "{") { throw cursor.fault(.notAnObject) }
        } catch {
            throw JSONSyntaxError(error, in: span)
        }
    }

    /// Walks the members of an object whose place was found by scanning these bytes; nil for another kind of value.
    package init?(_ value: JSONToken, in bytes: [UInt8], maxDepth: Int = JSONParser.defaultMaximumDepth) {
        guard value.kind == .object else { return nil }
        self.bytes = bytes
        cursor = JSONCursor(maxDepth: maxDepth)
        cursor.offset = value.range.lowerBound
        isInner = true
    }

    /// A scanner over the members of a value of this document; nil when the value is not an object.
    package func object(_ value: JSONToken) -> JSONScanner? {
        JSONScanner(value, in: bytes, maxDepth: cursor.maxDepth)
    }

    /// The next member, nil after the last one; then the rest of the document has been checked too.
    ///
    /// - Throws: `JSONSyntaxError` at the first fault.
    package mutating func next() throws(JSONSyntaxError) -> Member? {
        let bytes = bytes
        let span = bytes.span
        do throws(JSONFault) {
            switch state {
            case .beforeFirst:
                guard try cursor.enter(UInt8(ascii: "}"), span) else { return try finish(span) }
                state = .afterMember
            case .afterMember:
                guard try cursor.moreElements(UInt8(ascii: "}"), span) else { return try finish(span) }
            case .ended:
                return nil
            }
            let key = try cursor.string(span)
            try cursor.colon(span)
            return Member(key: key, value: try cursor.token(span, depth: 1))
        } catch {
            state = .ended
            throw JSONSyntaxError(error, in: span)
        }
    }

    private mutating func finish(_ span: Span<UInt8>) throws(JSONFault) -> Member? {
        state = .ended
        if !isInner { try cursor.end(span) }
        return nil
    }

    // MARK: Decoding

    /// The name of a member.
    package func text(_ key: JSONStringToken) -> String {
        key.text(bytes.span)
    }

    /// The text of a string; nil for another kind of value.
    package func string(_ value: JSONToken) -> String? {
        value.kind == .string ? value.stringToken.text(bytes.span) : nil
    }

    /// An exact integer, see `JSONNumber.int64`; nil for another kind of value.
    package func int64(_ value: JSONToken) -> Int64? {
        value.kind == .number ? JSONNumberText.int64(bytes.span.extracting(value.range)) : nil
    }

    /// A number as its text; nil for another kind of value.
    package func number(_ value: JSONToken) -> JSONNumber? {
        guard value.kind == .number else { return nil }
        return JSONNumber(validated: String(validated: bytes.span.extracting(value.range)))
    }

    /// A truth value; nil for another kind of value.
    package func bool(_ value: JSONToken) -> Bool? {
        value.kind == .bool ? bytes[value.range.lowerBound] == UInt8(ascii: "t") : nil
    }

    /// The value as it stands in the document.
    package func raw(_ value: JSONToken) -> ArraySlice<UInt8> {
        bytes[value.range]
    }

    /// The content of a string as it stands in the document, without quotes; nil for another kind of value and for a
    /// string with escapes.
    package func plainString(_ value: JSONToken) -> ArraySlice<UInt8>? {
        guard value.kind == .string, !value.hasEscapes else { return nil }
        return bytes[value.stringToken.range]
    }

    /// The value as a tree.
    package func tree(_ value: JSONToken) -> JSONValue {
        // The bytes were checked on the way here, so this cannot fail.
        (try? JSONParser.parse(bytes.span.extracting(value.range), maxDepth: cursor.maxDepth)) ?? .null
    }

    /// Whether a string is exactly this ASCII text, without building it. A string with escapes is decoded first.
    package func isString(_ value: JSONToken, _ text: String) -> Bool {
        guard value.kind == .string else { return false }
        if value.hasEscapes { return value.stringToken.text(bytes.span) == text }
        return bytes.span.extracting(value.stringToken.range).equals(text.utf8Span.span)
    }
}

extension Span<UInt8> {
    /// Whether both hold the same bytes.
    @inline(__always)
    func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in 0..<count where self[index] != other[index] { return false }
        return true
    }
}
