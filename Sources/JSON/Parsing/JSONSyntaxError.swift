/// Why a text is not an acceptable JSON document, and where.
package struct JSONSyntaxError: Error, Sendable, Hashable {
    /// What was wrong.
    package enum Reason: Sendable, Hashable {
        /// Nothing but white space.
        case emptyDocument
        /// The document starts with a byte order mark, which RFC 8259 section 8.1 forbids to send.
        case byteOrderMark
        /// The text stops inside a value.
        case unexpectedEnd
        /// A character that cannot stand here.
        case unexpectedCharacter
        /// A number outside the grammar, such as 01, 1. or +1.
        case invalidNumber
        /// An unknown escape or a \u without four hexadecimal digits.
        case invalidEscape
        /// A raw control character inside a string.
        case controlCharacter
        /// Bytes that are not UTF-8: overlong, truncated, a surrogate or beyond U+10FFFF.
        case invalidUTF8
        /// More containers inside each other than allowed.
        case tooDeep(limit: Int)
        /// Something after the value.
        case trailingContent
        /// The document is not an object where one is required.
        case notAnObject
        /// The document is not an array where one is required.
        case notAnArray
    }

    /// The place in bytes from the start, 0 for the first.
    package let offset: Int
    /// The line, 1 for the first.
    package let line: Int
    /// The column in characters (Unicode scalars), 1 for the first.
    package let column: Int
    package let reason: Reason

    package init(offset: Int, line: Int, column: Int, reason: Reason) {
        self.offset = offset
        self.line = line
        self.column = column
        self.reason = reason
    }

    init(_ fault: JSONFault, in bytes: Span<UInt8>) {
        let position = SourcePosition(offset: fault.offset, in: bytes)
        self.init(offset: fault.offset, line: position.line, column: position.column, reason: fault.reason)
    }
}

extension JSONSyntaxError: CustomStringConvertible {
    package var description: String {
        "line \(line), column \(column): \(reason)"
    }
}

extension JSONSyntaxError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .emptyDocument: "the document is empty, a JSON value is needed"
        case .byteOrderMark: "the document starts with a byte order mark, remove it"
        case .unexpectedEnd: "the document ends inside a value"
        case .unexpectedCharacter: "this character cannot stand here"
        case .invalidNumber: "this is not a JSON number"
        case .invalidEscape: "this is not a JSON escape"
        case .controlCharacter: "a control character inside a string must be escaped"
        case .invalidUTF8: "these bytes are not UTF-8"
        case .tooDeep(let limit): "more than \(limit) arrays and objects inside each other"
        case .trailingContent: "there is something after the JSON value"
        case .notAnObject: "a JSON object is needed"
        case .notAnArray: "a JSON array is needed"
        }
    }
}

/// The inner form of a syntax error: small enough to travel in registers, line and column come later.
struct JSONFault: Error {
    let offset: Int
    let reason: JSONSyntaxError.Reason
}
