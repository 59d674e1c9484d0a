import EntitlementAPI
import HTTPServer
import JSON
import JSONRPC

extension HTTPResponse {
    /// An answer that says what went wrong: `{"error": {"reason": …, "message": …}}`.
    static func problem(_ status: HTTPStatus, _ reason: String, _ message: String) -> HTTPResponse {
        let body: JSONValue = ["error": ["reason": .string(reason), "message": .string(message)]]
        return HTTPResponse(status, type: "application/json", body: body.serialized())
    }

    /// What a JSON-RPC error is over plain HTTP: its reason decides the status, and the members of its data stand beside
    /// reason and message.
    static func problem(_ error: JSONRPCError) -> HTTPResponse {
        let reason = error.data?["reason"]?.stringValue
        var members: JSONObject = ["reason": .string(reason ?? "failed"), "message": .string(error.message)]
        for member in error.data?.objectValue?.members ?? [] where member.key != "reason" {
            members.set(member.key, member.value)
        }
        let body: JSONValue = ["error": .object(members)]
        var response = HTTPResponse(
            status(of: error, reason),
            headers: [HTTPField("Content-Type", "application/json"), HTTPField("Cache-Control", "no-store")],
            body: body.serialized()
        )
        if response.status == .unauthorized { response.headers.append(HTTPField("WWW-Authenticate", "Bearer")) }
        if let wait = error.data?["retryAfterMs"]?.int64Value {
            response.headers.append(HTTPField("Retry-After", String((wait + 999) / 1_000)))
        }
        return response
    }

    private static func status(of error: JSONRPCError, _ reason: String?) -> HTTPStatus {
        if error.code == JSONRPCError.invalidParams.code { return .badRequest }
        return switch reason.flatMap(ErrorReason.init(rawValue:)) {
        case .unauthorized: .unauthorized
        case .forbidden: .forbidden
        case .rateLimited: .tooManyRequests
        case .notFound: .notFound
        // The position is of another state of the log than the one that answers.
        case .positionNotReached: 409
        case .unavailable: .serviceUnavailable
        default: .internalServerError
        }
    }
}
