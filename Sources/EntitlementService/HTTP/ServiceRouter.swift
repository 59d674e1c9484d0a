import EntitlementAPI
import HTTPServer
import JSON
import JSONRPC

/// Maps HTTP to the service: `/rpc`, `/appstore/notifications`, the change stream, entitlements for caches, health, metrics,
/// the OpenRPC document and the keys that verify tokens.
///
/// A class, so that a request that is answered later keeps one reference and not a copy of all that is here.
final class ServiceRouter: HTTPHandler {
    let rpc: RPCServer<Caller>
    /// Nil: every call takes the general way, which has a line for it in the log.
    let quick: QuickAnswers?
    let keys: KeyRing
    let signingKeys: SigningKeyRing
    let notifications: NotificationReceiver
    let entitlements: EntitlementsDoor
    let changes: ChangeStreams
    let metrics: ServiceMetrics
    let stored: StoreMetrics
    let openRPC: [UInt8]
    let requiresClientCertificates: Bool
    let readiness: Readiness

    init(
        rpc: RPCServer<Caller>,
        quick: QuickAnswers?,
        keys: KeyRing,
        signingKeys: SigningKeyRing,
        notifications: NotificationReceiver,
        entitlements: EntitlementsDoor,
        changes: ChangeStreams,
        metrics: ServiceMetrics,
        stored: StoreMetrics,
        openRPC: [UInt8],
        requiresClientCertificates: Bool,
        readiness: Readiness
    ) {
        self.rpc = rpc
        self.quick = quick
        self.keys = keys
        self.signingKeys = signingKeys
        self.notifications = notifications
        self.entitlements = entitlements
        self.changes = changes
        self.metrics = metrics
        self.stored = stored
        self.openRPC = openRPC
        self.requiresClientCertificates = requiresClientCertificates
        self.readiness = readiness
    }

    /// How long the metrics wait for what is read from the database.
    private static let metricsTime: Duration = .seconds(1)

    func reply(to request: HTTPRequest) -> HTTPReply {
        if requiresClientCertificates, !ClientCertificateDoor.admits(request) {
            return .now(ClientCertificateDoor.refusal)
        }
        switch (request.method, request.path) {
        case (.post, "/rpc"):
            return replyToCall(request)
        case (.post, "/appstore/notifications"):
            let body = request.body
            return .later { [notifications] in Self.response(to: await notifications.receive(body)) }
        case (.get, "/readyz"), (.head, "/readyz"):
            return .later { [readiness] in Self.response(to: await readiness.checks()) }
        case (.get, "/healthz"), (.head, "/healthz"): return .now(Self.text(.ok, "ok\n"))
        case (.get, "/metrics"), (.head, "/metrics"):
            return .later { [stored, readiness, metrics] in
                await stored.refresh(within: Self.metricsTime)
                _ = await readiness.checks()
                return HTTPResponse(type: "text/plain; version=0.0.4; charset=utf-8", body: Array(metrics.text.utf8))
            }
        case (.get, "/openrpc.json"), (.head, "/openrpc.json"):
            return .now(HTTPResponse(type: "application/json", body: openRPC))
        case (.get, "/.well-known/jwks.json"), (.head, "/.well-known/jwks.json"): return .now(keySet())
        case (_, "/rpc"), (_, "/appstore/notifications"): return .now(Self.methodNotAllowed("POST"))
        case (_, "/healthz"), (_, "/readyz"), (_, "/metrics"), (_, "/openrpc.json"),
            (_, "/.well-known/jwks.json"):
            return .now(Self.methodNotAllowed("GET, HEAD"))
        case (.get, "/changes"), (.head, "/changes"): return changes.reply(to: request)
        case (_, "/changes"): return .now(Self.methodNotAllowed("GET, HEAD"))
        case (_, let path) where EntitlementsDoor.account(inPath: path) != nil:
            guard request.method == .get || request.method == .head else {
                return .now(Self.methodNotAllowed("GET, HEAD"))
            }
            return entitlements.reply(to: request)
        default: return .now(.problem(.notFound, "notFound", "There is nothing at this path."))
        }
    }

    private func replyToCall(_ request: HTTPRequest) -> HTTPReply {
        let authorization = request.header("authorization")
        let body = request.body
        guard let caller = keys.caller(authorization: authorization) else {
            return .later { [self] in
                let caller = await self.caller(authorization: authorization)
                return Self.rpcResponse(await rpc.respond(to: body, context: caller))
            }
        }
        switch quick?.reply(body, for: caller) {
        case .now(let answer): return .now(Self.rpcResponse(answer))
        case .called(let begin):
            let id = RequestID.given(request.header(RequestID.field))
            return .called { [self] respond in begin { self.finish($0, body, caller, id, respond) } }
        case nil: break
        }
        switch rpc.reply(to: body, context: caller) {
        case .now(let answer): return .now(Self.rpcResponse(answer))
        case .later(let work): return .later { Self.rpcResponse(await work()) }
        }
    }

    /// Responds with an answer; without one the general way is tried, for a call that is charged already.
    private func finish(
        _ answer: [UInt8]?,
        _ body: [UInt8],
        _ caller: Caller,
        _ id: String?,
        _ respond: @escaping @Sendable (HTTPResponse) -> Void
    ) {
        if let answer { return respond(Self.rpcResponse(answer)) }
        Task { [rpc] in
            let charged = Caller(scopes: caller.scopes, keyID: caller.keyID)
            // It has failed once, so its line in the log may matter.
            let trace = RequestTrace.current ?? RequestTrace(id: id ?? RequestID.make())
            let answer = await RequestTrace.$current.withValue(trace) {
                await rpc.respond(to: body, context: charged)
            }
            var response = Self.rpcResponse(answer)
            if id == nil { response.headers.append(HTTPField(RequestID.field, trace.id)) }
            respond(response)
        }
    }

    /// The caller; a key that is not in memory yet may have been made a moment ago.
    private func caller(authorization: String?) async -> Caller {
        try? await keys.refreshForUnknownKey()
        return keys.caller(authorization: authorization) ?? .unknown
    }

    // MARK: Responses

    /// The keys that verify tokens, for anybody (RFC 7517 section 8.5.2 names the media type).
    private func keySet() -> HTTPResponse {
        HTTPResponse(
            type: "application/jwk-set+json",
            headers: [HTTPField("Cache-Control", "public, max-age=\(SigningKeyRing.keySetLifetime)")],
            body: signingKeys.keySet
        )
    }

    private static func rpcResponse(_ answer: [UInt8]?) -> HTTPResponse {
        // 200 and not 204: several client libraries (jsonrpclib, jsonrpc-requests) take 200 alone for success, and an
        // empty body for the answer to a notification.
        guard let answer else { return HTTPResponse() }
        return HTTPResponse(headers: jsonHeaders, body: answer)
    }

    private static let jsonHeaders = [HTTPField("Content-Type", "application/json")]

    private static func response(to outcome: NotificationOutcome) -> HTTPResponse {
        let status = HTTPStatus(outcome.status)
        return switch outcome {
        case .appended, .duplicate: HTTPResponse(status)
        case .refused(let reason, let message): .problem(status, reason, message)
        case .parked(let message): .problem(status, "parked", message)
        case .unavailable(let message): .problem(status, "unavailable", message)
        case .failed: .problem(status, "failed", "The service failed; its log has the details.")
        }
    }

    /// Each check on a line of its own.
    private static func response(to checks: [ReadinessCheck]) -> HTTPResponse {
        let failed = checks.filter { !$0.isPassed }
        var lines = [failed.isEmpty ? "ready" : "not ready: \(failed.map(\.name).joined(separator: ", "))"]
        lines += checks.map { "\($0.name): \($0.problem ?? "ok")" }
        return text(failed.isEmpty ? .ok : .serviceUnavailable, lines.joined(separator: "\n") + "\n")
    }

    private static func methodNotAllowed(_ allowed: String) -> HTTPResponse {
        var response = HTTPResponse.problem(.methodNotAllowed, "methodNotAllowed", "This path takes \(allowed).")
        response.headers.append(HTTPField("Allow", allowed))
        return response
    }

    private static func text(_ status: HTTPStatus, _ text: String) -> HTTPResponse {
        HTTPResponse(status, type: "text/plain; charset=utf-8", body: Array(text.utf8))
    }
}
