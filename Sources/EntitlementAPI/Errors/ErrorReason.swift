package import JSON
package import JSONRPC

/// Why a call failed, beyond JSON-RPC's own codes: an application error with a code between 1 and 999 and
/// `data: { "reason": …, "retryable": … }`. The names are part of the contract.
package enum ErrorReason: String, Sendable, Hashable, CaseIterable {
    case unauthorized
    case forbidden
    case rateLimited
    case unavailable
    case notFound
    case invalidSignature
    case invalidChain
    case certificateExpired
    case wrongBundle
    case wrongEnvironment
    case malformedStatement
    case ownershipConflict
    case insufficientBalance
    case idempotencyMismatch
    case positionNotReached
    case upstreamUnavailable
    case upstreamRejected

    /// The JSON-RPC error code.
    package var code: Int {
        switch self {
        case .unauthorized: 1
        case .forbidden: 2
        case .rateLimited: 3
        case .unavailable: 4
        case .notFound: 5
        case .invalidSignature: 10
        case .invalidChain: 11
        case .certificateExpired: 12
        case .wrongBundle: 13
        case .wrongEnvironment: 14
        case .malformedStatement: 15
        case .ownershipConflict: 20
        case .insufficientBalance: 30
        case .idempotencyMismatch: 31
        case .positionNotReached: 40
        case .upstreamUnavailable: 50
        case .upstreamRejected: 51
        }
    }

    /// Whether the same call may succeed later without a change by the caller.
    package var isRetryable: Bool {
        switch self {
        case .rateLimited, .unavailable, .positionNotReached, .upstreamUnavailable: true
        default: false
        }
    }

    /// What it means, for the OpenRPC document.
    package var summary: String {
        switch self {
        case .unauthorized: "No API key, or one that is unknown, expired or revoked."
        case .forbidden: "The API key lacks the scope of this method."
        case .rateLimited: "The key's rate limit is used up; data.retryAfterMs says when to try again."
        case .unavailable: "The service cannot reach its database right now."
        case .notFound: "What was named does not exist."
        case .invalidSignature: "The signed text's signature does not verify."
        case .invalidChain: "The certificate chain does not lead to a trusted root, or is no App Store chain."
        case .certificateExpired: "A certificate of the chain was not valid at the signing date."
        case .wrongBundle: "The statement is about an app that is not configured here."
        case .wrongEnvironment: "The statement's environment is not accepted here."
        case .malformedStatement: "The signed text is not a statement this method takes."
        case .ownershipConflict: "Another account owns this purchase."
        case .insufficientBalance: "The balance is smaller than the amount."
        case .idempotencyMismatch: "The idempotency key was used before with other parameters."
        case .positionNotReached:
            "The log has not reached minPosition, or its epoch has changed; data.position is where it is."
        case .upstreamUnavailable: "The App Store Server API cannot be reached right now."
        case .upstreamRejected: "The App Store Server API refused the request."
        }
    }

    /// The JSON-RPC error with this reason.
    ///
    /// - Parameters:
    ///   - message: one sentence for people, without secrets and without another account's data.
    ///   - details: further members of `data`.
    package func error(_ message: String, details: JSONObject = JSONObject()) -> JSONRPCError {
        var data: JSONObject = ["reason": .string(rawValue), "retryable": .bool(isRetryable)]
        for member in details.members { data.set(member.key, member.value) }
        return JSONRPCError(code: code, message: message, data: .object(data))
    }
}
