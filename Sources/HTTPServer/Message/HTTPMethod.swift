/// A request method (RFC 9110 section 9).
package enum HTTPMethod: Sendable, Hashable {
    case get
    case head
    case post
    case put
    case delete
    case options
    case patch
    /// Any other token, in its own case: methods are case-sensitive.
    case other(String)

    /// From the token of the request line.
    package init(_ token: String) {
        self =
            switch token {
            case "GET": .get
            case "HEAD": .head
            case "POST": .post
            case "PUT": .put
            case "DELETE": .delete
            case "OPTIONS": .options
            case "PATCH": .patch
            default: .other(token)
            }
    }
}

extension HTTPMethod: CustomStringConvertible {
    /// The token of the request line.
    package var description: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .patch: "PATCH"
        case .other(let token): token
        }
    }
}
