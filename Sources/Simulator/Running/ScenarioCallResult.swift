package import JSON

/// What a JSON-RPC call came to.
package enum ScenarioCallResult: Sendable, Hashable {
    case result(JSONValue)
    /// The error's code, its `data.reason` where it has one, and its message.
    case failure(code: Int64, reason: String?, message: String)
}

extension ScenarioCallResult {
    /// The name by which a file calls a failure: `data.reason`, or the name of JSON-RPC's own code (JSON-RPC 2.0
    /// section 5.1).
    static func reason(code: Int64, reason: String?) -> String {
        if let reason { return reason }
        return switch code {
        case -32700: "parseError"
        case -32600: "invalidRequest"
        case -32601: "methodNotFound"
        case -32602: "invalidParams"
        case -32603: "internalError"
        default: "code \(code)"
        }
    }
}
