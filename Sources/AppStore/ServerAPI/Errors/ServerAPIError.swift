package import EntitlementDomain

/// Why a call of the App Store Server API gave no result. Messages hold no secret.
package enum ServerAPIError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The App Store refused, or failed at every try.
    case refused(ServerAPIRefusal)
    /// The token was refused (HTTP 401): issuer id, key id, key, bundle id or this machine's clock is wrong.
    case unauthorized
    /// Too many requests; the instant until which no other one is welcome, when it was given.
    case rateLimited(until: Instant?)
    /// No response came at any try.
    case unreachable(String)
    /// The response is not what the documentation says.
    case malformedResponse(String)
    /// A signed part of the response is not genuine or not ours.
    case untrusted(StatementError)
    /// The pages come round to one that was there before, or never end.
    case endlessPaging(pages: Int)
    /// The call cannot be made like this.
    case invalidArgument(String)
    /// No token could be signed.
    case signingFailed(String)
    /// The task was cancelled.
    case cancelled

    /// Whether the same call may succeed later.
    package var isTemporary: Bool {
        switch self {
        case .refused(let refusal): refusal.isRetryable
        case .untrusted(let error): error.isTemporary
        case .rateLimited, .unreachable, .cancelled: true
        case .unauthorized, .malformedResponse, .endlessPaging, .invalidArgument, .signingFailed: false
        }
    }

    /// The documented code of a refusal.
    package var code: ServerAPIErrorCode? {
        if case .refused(let refusal) = self { refusal.known } else { nil }
    }

    package var description: String {
        switch self {
        case .refused(let refusal): "the App Store refused: \(refusal)"
        case .unauthorized:
            "the App Store does not accept the token: check issuer id, key id, the .p8 file, the bundle id and the clock"
        case .rateLimited(let until?): "the App Store limits the rate of calls until \(until.iso8601)"
        case .rateLimited(nil): "the App Store limits the rate of calls"
        case .unreachable(let reason): "the App Store cannot be reached: \(reason)"
        case .malformedResponse(let reason): "the App Store's response is not understood: \(reason)"
        case .untrusted(let error): "a signed part of the response was refused. \(error.message)"
        case .endlessPaging(let pages): "the pages of the response do not end; gave up after \(pages)"
        case .invalidArgument(let reason): reason
        case .signingFailed(let reason): "no token could be signed: \(reason)"
        case .cancelled: "the call was cancelled"
        }
    }
}
