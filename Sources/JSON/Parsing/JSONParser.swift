/// A strict reader of JSON documents (RFC 8259).
///
/// Refused: a byte order mark, anything after the value, trailing commas, comments, leading zeros, raw control
/// characters, bytes that are not UTF-8, nesting beyond the limit. Tolerated: duplicate names (all are kept, the last
/// one is read) and surrogate escapes without their partner, which become U+FFFD.
package enum JSONParser {
    /// The nesting allowed when the caller does not say otherwise.
    package static let defaultMaximumDepth = 64

    /// Reads one document.
    ///
    /// - Parameter maxDepth: how many arrays and objects may stand inside each other, 1 for a flat one; at most 512.
    /// - Throws: `JSONSyntaxError` with the place of the first fault.
    package static func parse(
        _ bytes: [UInt8],
        maxDepth: Int = defaultMaximumDepth
    ) throws(JSONSyntaxError) -> JSONValue {
        try parse(bytes.span, maxDepth: maxDepth)
    }

    /// Reads one document from memory of any owner.
    package static func parse(
        _ bytes: Span<UInt8>,
        maxDepth: Int = defaultMaximumDepth
    ) throws(JSONSyntaxError) -> JSONValue {
        var cursor = JSONCursor(maxDepth: maxDepth)
        do throws(JSONFault) {
            try cursor.begin(bytes)
            let value = try value(bytes, &cursor, depth: 0)
            try cursor.end(bytes)
            return value
        } catch {
            throw JSONSyntaxError(error, in: bytes)
        }
    }

    /// Reads one document from text.
    package static func parse(
        _ text: String,
        maxDepth: Int = defaultMaximumDepth
    ) throws(JSONSyntaxError) -> JSONValue {
        try parse(text.utf8Span.span, maxDepth: maxDepth)
    }

    private static func value(
        _ bytes: Span<UInt8>,
        _ cursor: inout JSONCursor,
        depth: Int
    ) throws(JSONFault) -> JSONValue {
        guard cursor.offset < bytes.count else { throw cursor.fault(.unexpectedEnd) }
        switch bytes[cursor.offset] {
        case UInt8(ascii: "\""):
            return .string(try cursor.string(bytes).text(bytes))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            let start = cursor.offset
            try cursor.skipNumber(bytes)
            return .number(JSONNumber(validated: String(validated: bytes.extracting(start..<cursor.offset))))
        case UInt8(ascii: "t"):
            try cursor.skipWord("true", bytes)
            return .bool(true)
        case UInt8(ascii: "f"):
            try cursor.skipWord("false", bytes)
            return .bool(false)
        case UInt8(ascii: "n"):
            try cursor.skipWord("null", bytes)
            return .null
        case UInt8(ascii: "{"):
            return .object(JSONObject(try members(bytes, &cursor, depth: depth + 1)))
        case UInt8(ascii: "["):
            return .array(try elements(bytes, &cursor, depth: depth + 1))
        default:
            throw cursor.fault(.unexpectedCharacter)
        }
    }

    private static func members(
        _ bytes: Span<UInt8>,
        _ cursor: inout JSONCursor,
        depth: Int
    ) throws(JSONFault) -> [JSONObject.Member] {
        try cursor.checkDepth(depth)
        var members: [JSONObject.Member] = []
        guard try cursor.enter(UInt8(ascii: "}"), bytes) else { return members }
        repeat {
            let key = try cursor.string(bytes).text(bytes)
            try cursor.colon(bytes)
            members.append(JSONObject.Member(key: key, value: try value(bytes, &cursor, depth: depth)))
        } while try cursor.moreElements(UInt8(ascii: "}"), bytes)
        return members
    }

    private static func elements(
        _ bytes: Span<UInt8>,
        _ cursor: inout JSONCursor,
        depth: Int
    ) throws(JSONFault) -> [JSONValue] {
        try cursor.checkDepth(depth)
        var elements: [JSONValue] = []
        guard try cursor.enter(UInt8(ascii: "]"), bytes) else { return elements }
        repeat {
            elements.append(try value(bytes, &cursor, depth: depth))
        } while try cursor.moreElements(UInt8(ascii: "]"), bytes)
        return elements
    }
}
