/// A JSON number as the text of its token (RFC 8259 section 6), so 9007199254740993, 1.5 and 1e2 stay what they are.
///
/// Two numbers are equal when their texts are: 1 and 1.0 differ.
package struct JSONNumber: Sendable, Hashable {
    /// The token exactly as it stood in the document.
    package let text: String

    /// For text known to follow the grammar.
    init(validated text: String) {
        self.text = text
    }

    /// A number from its text; nil when the text is not a JSON number.
    package init?(_ text: String) {
        var cursor = JSONCursor(maxDepth: 1)
        let bytes = text.utf8Span.span
        guard !bytes.isEmpty, (try? cursor.skipNumber(bytes)) != nil, cursor.offset == bytes.count else { return nil }
        self.text = text
    }

    /// The decimal digits of an integer.
    package init(_ value: Int64) {
        text = String(value)
    }

    /// The shortest text that reads back as the value; nil for an infinity or NaN, which JSON lacks.
    package init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = value.description
    }

    /// The value as an integer when it is one exactly and fits: "7", "1.0" and "1e2" are integers, "1.5" is none.
    package var int64: Int64? {
        JSONNumberText.int64(text.utf8Span.span)
    }

    /// The nearest double; nil when the number is too large for a finite one.
    package var double: Double? {
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }
}

extension JSONNumber: CustomStringConvertible {
    package var description: String { text }
}
