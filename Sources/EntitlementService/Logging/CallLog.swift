import EntitlementAPI
import JSON
import JSONRPC

/// The log's lines about calls: each that changed something or failed through no fault of its caller, and at level debug
/// all of them.
struct CallLog: Sendable {
    let log: ServiceLog
    let scopes: [String: Scope?]

    /// Whether calls that only read have a line each.
    var isVerbose: Bool { log.isOn(.debug) }

    /// - Parameter keyID: the public id of the key that the call came with.
    func write(_ method: String, by keyID: String?, error: JSONRPCError?, duration: Duration) {
        let level = level(method, error)
        guard log.isOn(level) else { return }
        var fields: ServiceLog.Fields = [
            ("method", .string(method)), ("outcome", .string(error.map(CallLog.outcome) ?? "result")),
            ("durationMicros", .number(JSONNumber(duration.inMicroseconds))),
        ]
        if let keyID { fields.append(("keyId", .string(keyID))) }
        fields += RequestTrace.current?.takeFields() ?? []
        log.write(level, "call", fields)
    }

    /// The name of an error in log and metrics.
    static func outcome(_ error: JSONRPCError) -> String {
        error.data?["reason"]?.stringValue ?? String(error.code)
    }

    private func level(_ method: String, _ error: JSONRPCError?) -> LogLevel {
        if let error {
            if error.code == JSONRPCError.internalError.code { return .error }
            switch error.data?["reason"]?.stringValue.flatMap(ErrorReason.init(rawValue:)) {
            case .unavailable, .upstreamUnavailable, .upstreamRejected: return .warning
            // Nobody without a key fills the log.
            case .unauthorized, .forbidden, .rateLimited: return .debug
            default: break
            }
        }
        return switch scopes[method] ?? nil {
        case .submit, .admin: .info
        default: .debug
        }
    }
}
