import EntitlementAPI
import JSON
import JSONRPC

/// Lets a call in when its caller's rate is not used up and it has the scope of its method, and counts it: each call of a
/// batch by itself.
struct AccessInterceptor: RPCInterceptor {
    let scopes: [String: Scope?]
    let metrics: ServiceMetrics

    func willCall(_ call: RPCCall, context: Caller) throws(JSONRPCError) {
        // First, so that calls of methods that do not exist or are not allowed are charged as well.
        try context.limiter?.charge()
        guard let scope = scopes[call.method] ?? nil else { return }
        guard let granted = context.scopes else {
            throw ErrorReason.unauthorized.error(
                "This method needs an API key: send 'Authorization: Bearer <key>' with a key that is in force."
            )
        }
        guard granted.contains(scope) else {
            throw ErrorReason.forbidden.error(
                "This API key lacks the scope '\(scope.rawValue)' that \(call.method) needs."
            )
        }
    }

    func didCall(_ call: RPCCall, context: Caller, duration: Duration, outcome: RPCOutcome) {
        let method = call.isKnown ? call.method : "unknown"
        switch outcome {
        case .result: metrics.countCall(method, outcome: "result", duration: duration)
        case .error(let error):
            let reason = error.data?["reason"]?.stringValue ?? String(error.code)
            metrics.countCall(method, outcome: reason, duration: duration)
        }
    }
}
