/// One step from a value to a value inside it.
package enum JSONPathElement: Sendable, Hashable {
    /// To a member of an object.
    case key(String)
    /// To an element of an array, 0 for the first.
    case index(Int)
}

extension JSONPathElement: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    package init(stringLiteral value: String) { self = .key(value) }
    package init(integerLiteral value: Int) { self = .index(value) }
}

extension [JSONPathElement] {
    /// The path as a JSON pointer (RFC 6901): `/products/0/id`, and empty for the whole document.
    package var pointer: String {
        map { element in
            switch element {
            case .key(let key):
                "/"
                    + key.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
                    .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
            case .index(let index): "/\(index)"
            }
        }.joined()
    }
}
