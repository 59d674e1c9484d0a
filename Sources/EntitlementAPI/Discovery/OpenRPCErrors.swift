import JSON

/// The errors of the OpenRPC document: every one that a call can be answered with, described once and referred to.
enum OpenRPCErrors {
    /// `components/errors`, by reason.
    static var all: JSONObject {
        var errors = JSONObject()
        for reason in ErrorReason.allCases {
            var data: JSONObject = ["reason": .string(reason.rawValue), "retryable": .bool(reason.isRetryable)]
            switch reason {
            case .rateLimited: data.set("retryAfterMs", 250)
            case .insufficientBalance: data.set("available", 70)
            case .positionNotReached: data.set("position", "1:42")
            default: break
            }
            errors.set(reason.rawValue, describe(reason.code, reason.summary, .object(data)))
        }
        let invalid: JSONValue = ["reason": "invalidParams", "retryable": false, "parameter": "account"]
        errors.set("parseError", describe(-32700, "The body is not JSON."))
        errors.set("invalidRequest", describe(-32600, "The body is no request of JSON-RPC 2.0, or is too large."))
        errors.set("methodNotFound", describe(-32601, "There is no such method."))
        errors.set(
            "invalidParams",
            describe(
                -32602,
                "A parameter is missing, unknown, or not what is expected; data.parameter names it.",
                invalid
            )
        )
        errors.set("internalError", describe(-32603, "A fault of the service."))
        return errors
    }

    /// The errors that calls of a method can be answered with, in the order of their codes.
    static func names(of method: any APIMethod.Type) -> [String] {
        var reasons = Set(method.reasons)
        // A key that was sent is charged for whatever method it calls.
        reasons.insert(.rateLimited)
        if method.scope != nil { reasons.formUnion([.unauthorized, .forbidden, .unavailable]) }
        return ErrorReason.allCases.filter { reasons.contains($0) }.map(\.rawValue) + [
            "invalidParams", "internalError",
        ]
    }

    private static func describe(_ code: Int, _ message: String, _ data: JSONValue? = nil) -> JSONValue {
        var error: JSONObject = ["code": .number(JSONNumber(Int64(code))), "message": .string(message)]
        if let data { error.set("data", data) }
        return .object(error)
    }
}
