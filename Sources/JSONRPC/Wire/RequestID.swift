import JSON

/// The id of a JSON-RPC request (JSON-RPC 2.0 section 4): a string, a number or null, kept as the token that was sent.
///
/// A client compares ids in its own number type, so 9007199254740993, 1.5 and 1e0 must come back as they went out.
package struct RequestID: Sendable, Hashable {
    /// The JSON token, quotes included for a string.
    package let token: String

    private init(token: String) {
        self.token = token
    }

    /// The id `null`: that of a request with a null id, and of an answer to something whose id could not be read.
    package static let null = RequestID(token: "null")

    /// A number.
    package init(_ value: Int64) {
        token = String(value)
    }

    /// A string.
    package init(_ value: String) {
        token = JSONValue.string(value).description
    }

    /// The id that stands at this place of a message; nil for an object, an array or a truth value.
    init?(_ value: JSONToken, in scanner: JSONScanner) {
        switch value.kind {
        case .string, .number, .null: token = String(decoding: scanner.raw(value), as: UTF8.self)
        case .bool, .array, .object: return nil
        }
    }
}

extension RequestID: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral {
    package init(integerLiteral value: Int64) { self.init(value) }
    package init(stringLiteral value: String) { self.init(value) }
}

extension RequestID: CustomStringConvertible {
    package var description: String { token }
}
