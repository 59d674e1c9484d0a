import EntitlementAPI
package import HTTPServer
import JSON
import JSONRPC

/// Maps HTTP to the service: `/rpc`, `/appstore/notifications`, health, metrics and the OpenRPC document.
struct ServiceRouter: HTTPHandler {
    let rpc: RPCServer<Caller>
    let keys: KeyRing
    let notifications: NotificationReceiver
    let metrics: ServiceMetrics
    let openRPC: [UInt8]
    /// Whether the service can do its work right now; the reason otherwise.
    let readiness: @Sendable () async -> String?

    func respondImmediately(to request: HTTPRequest) -> HTTPResponse? {
        switch (request.method, request.path) {
        case ("POST", "/rpc"):
            guard let caller = keys.caller(authorization: request.header("authorization")) else { return nil }
            guard case .now(let answer) = rpc.reply(to: request.body, context: caller) else { return nil }
            return Self.rpcResponse(answer)
        case ("POST", "/appstore/notifications"), ("GET", "/readyz"): return nil
        case ("GET", "/healthz"): return Self.text(200, "ok\n")
        case ("GET", "/metrics"): return Self.text(200, metrics.text)
        case ("GET", "/openrpc.json"): return Self.json(200, openRPC)
        case (_, "/rpc"), (_, "/appstore/notifications"): return Self.methodNotAllowed("POST")
        case (_, "/healthz"), (_, "/readyz"), (_, "/metrics"), (_, "/openrpc.json"):
            return Self.methodNotAllowed("GET")
        default: return Self.problem(404, "notFound", "There is nothing at this path.")
        }
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        switch (request.method, request.path) {
        case ("POST", "/rpc"):
            let caller = await caller(of: request)
            return Self.rpcResponse(await rpc.respond(to: request.body, context: caller))
        case ("POST", "/appstore/notifications"):
            return Self.response(to: await notifications.receive(request.body))
        case ("GET", "/readyz"):
            if let reason = await readiness() { return Self.text(503, "not ready: \(reason)\n") }
            return Self.text(200, "ready\n")
        default:
            return Self.problem(404, "notFound", "There is nothing at this path.")
        }
    }

    /// The caller; a key that is not in memory yet may have been made a moment ago.
    private func caller(of request: HTTPRequest) async -> Caller {
        let authorization = request.header("authorization")
        if let caller = keys.caller(authorization: authorization) { return caller }
        try? await keys.refreshForUnknownKey()
        return keys.caller(authorization: authorization) ?? .unknown
    }

    // MARK: Responses

    private static func rpcResponse(_ answer: [UInt8]?) -> HTTPResponse {
        guard let answer else { return HTTPResponse(status: 204) }
        return json(200, answer)
    }

    private static func response(to outcome: NotificationOutcome) -> HTTPResponse {
        switch outcome {
        case .appended, .duplicate: HTTPResponse(status: outcome.status)
        case .refused(let reason, let message): problem(outcome.status, reason, message)
        case .parked(let message): problem(outcome.status, "parked", message)
        case .unavailable(let message): problem(outcome.status, "unavailable", message)
        case .failed: problem(outcome.status, "failed", "The service failed; its log has the details.")
        }
    }

    private static func problem(_ status: Int, _ reason: String, _ message: String) -> HTTPResponse {
        let body: JSONValue = ["error": ["reason": .string(reason), "message": .string(message)]]
        return json(status, body.serialized())
    }

    private static func methodNotAllowed(_ allowed: String) -> HTTPResponse {
        var response = problem(405, "methodNotAllowed", "This path takes \(allowed).")
        response.headers.append(("Allow", allowed))
        return response
    }

    private static func json(_ status: Int, _ body: [UInt8]) -> HTTPResponse {
        HTTPResponse(status: status, headers: [("Content-Type", "application/json")], body: body)
    }

    private static func text(_ status: Int, _ text: String) -> HTTPResponse {
        HTTPResponse(
            status: status, headers: [("Content-Type", "text/plain; charset=utf-8")], body: Array(text.utf8))
    }
}
