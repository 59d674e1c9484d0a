/// Why a request got no response.
package enum ServerAPITransportFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// No connection, a broken one, or no response in time. The text says what happened and holds no secret.
    case unreachable(String)
    /// A response longer than a client takes.
    case tooLarge(limit: Int)
    /// The task was cancelled.
    case cancelled

    package var description: String {
        switch self {
        case .unreachable(let reason): reason
        case .tooLarge(let limit): "the response is longer than \(limit) bytes"
        case .cancelled: "the call was cancelled"
        }
    }
}
