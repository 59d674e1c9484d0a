import EntitlementAPI
import JSON
import JSONRPC

/// Lets a call in when its caller's rate is not used up and it has the scope of its method, and counts it: each call of a
/// batch by itself.
struct AccessInterceptor: RPCInterceptor {
    let scopes: [String: Scope?]
    let metrics: ServiceMetrics
    let log: CallLog

    func willCall(_ call: RPCCall, context: Caller) throws(JSONRPCError) {
        // First, so that calls of methods that do not exist or are not allowed are charged as well.
        try context.charge()
        if let scope = scopes[call.method] ?? nil { try context.require(scope, for: call.method) }
    }

    func didCall(_ call: RPCCall, context: Caller, duration: Duration, outcome: RPCOutcome) {
        let method = call.isKnown ? call.method : "unknown"
        switch outcome {
        case .result:
            metrics.countCall(method, outcome: "result", duration: duration)
            log.write(method, by: context.keyID, error: nil, duration: duration)
        case .error(let error):
            metrics.countCall(method, outcome: CallLog.outcome(error), duration: duration)
            log.write(method, by: context.keyID, error: error, duration: duration)
        }
    }
}
