import EntitlementDomain
import JSON

/// Decides, after each try of one call, what comes next. No I/O, no clock.
struct RetryState {
    enum Step: Sendable {
        case done(ServerAPIReply)
        case fail(ServerAPIError)
        case wait(Duration)
    }

    let request: ServerAPIRequest
    let retries: ServerAPIRetries
    private var tries = 0
    private var tokenRefusals = 0

    init(request: ServerAPIRequest, retries: ServerAPIRetries) {
        self.request = request
        self.retries = retries
    }

    /// - Parameter random: from 0 up to, not including, 1.
    mutating func step(after failure: ServerAPITransportFailure, random: Double) -> Step {
        tries += 1
        switch failure {
        case .cancelled: return .fail(.cancelled)
        case .tooLarge: return .fail(.malformedResponse(failure.description))
        case .unreachable(let reason):
            // Nobody knows whether the request had its effect.
            guard request.isRepeatable, tries < retries.attempts else { return .fail(.unreachable(reason)) }
            return .wait(retries.wait(after: tries, random: random))
        }
    }

    mutating func step(after reply: ServerAPIReply, now: Instant, random: Double) -> Step {
        tries += 1
        switch reply.status {
        case 200...299: return .done(reply)
        case 401:
            // A token that was kept may have ended on its way; a new one that is refused as well is wrong.
            tokenRefusals += 1
            return tokenRefusals > 1 ? .fail(.unauthorized) : .wait(.zero)
        case 429: return rateLimited(reply, now: now, random: random)
        default: break
        }
        let refusal = Self.refusal(reply)
        guard refusal.isRetryable, request.isRepeatable || refusal.isCertainlyWithoutEffect, tries < retries.attempts
        else { return .fail(.refused(refusal)) }
        return .wait(retries.wait(after: tries, random: random))
    }

    /// `Retry-After` is an instant, in milliseconds since 1970, and no number of seconds (App Store Server API, Identifying
    /// rate limits). A share of the shortest wait is added, so that not all clients come at the same moment.
    private func rateLimited(_ reply: ServerAPIReply, now: Instant, random: Double) -> Step {
        guard let milliseconds = reply.retryAfter.flatMap({ Int64($0) }) else {
            guard tries < retries.attempts else { return .fail(.rateLimited(until: nil)) }
            return .wait(retries.wait(after: tries, random: random))
        }
        let until = min(max(Instant(milliseconds: milliseconds), .distantPast), .distantFuture)
        let wait = Duration.milliseconds(max(0, until.milliseconds - now.milliseconds))
        guard tries < retries.attempts, wait <= retries.longestRateLimitWait else {
            return .fail(.rateLimited(until: until))
        }
        return .wait(wait + retries.firstWait * random)
    }

    private static func refusal(_ reply: ServerAPIReply) -> ServerAPIRefusal {
        let body = try? JSONParser.parse(reply.body)
        return ServerAPIRefusal(
            status: reply.status,
            code: body?["errorCode"]?.int64Value,
            message: body?["errorMessage"]?.stringValue
        )
    }
}
