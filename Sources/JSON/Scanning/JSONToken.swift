/// A value inside a scanned document: its kind and place, not yet decoded.
package struct JSONToken: Sendable, Hashable {
    /// What stands there.
    package enum Kind: Sendable, Hashable {
        case null
        case bool
        case number
        case string
        case array
        case object
    }

    package let kind: Kind
    /// The bytes of the value, quotes and brackets included.
    package let range: Range<Int>
    /// For a string, whether a backslash occurs in it.
    package let hasEscapes: Bool

    /// A string's content without its quotes.
    var stringToken: JSONStringToken {
        JSONStringToken(range: (range.lowerBound + 1)..<(range.upperBound - 1), hasEscapes: hasEscapes)
    }
}
