import EntitlementAPI
import HTTPServer
import JSON
import JSONRPC

/// Lets requests of plain HTTP in under the rules of the JSON-RPC method they stand for: key, rate, scope and count.
struct Doorkeeper: Sendable {
    let keys: KeyRing
    let metrics: ServiceMetrics
    let log: CallLog

    /// Does the work of a request when its caller may have it done.
    func admit<Method: APIMethod>(
        _ authorization: String?,
        to method: Method.Type,
        _ work: (Method.Type) async throws(JSONRPCError) -> HTTPResponse
    ) async -> HTTPResponse {
        let start = ContinuousClock.now
        let caller = await caller(authorization: authorization)
        do throws(JSONRPCError) {
            try caller.charge()
            if let scope = method.scope { try caller.require(scope, for: method.name) }
            let response = try await work(method)
            let duration = start.duration(to: .now)
            metrics.countCall(method.name, outcome: "result", duration: duration)
            log.write(method.name, by: caller.keyID, error: nil, duration: duration)
            return response
        } catch {
            let duration = start.duration(to: .now)
            metrics.countCall(method.name, outcome: CallLog.outcome(error), duration: duration)
            log.write(method.name, by: caller.keyID, error: error, duration: duration)
            return .problem(error)
        }
    }

    /// Whether a key that was let in before would be let in now.
    func stillAdmits(_ authorization: String?, scope: Scope?) -> Bool {
        guard let scope else { return true }
        // A key that the ring has lost was revoked, or is being read again.
        return keys.caller(authorization: authorization)?.scopes?.contains(scope) ?? false
    }

    /// The caller; a key that is not in memory yet may have been made a moment ago.
    private func caller(authorization: String?) async -> Caller {
        if let caller = keys.caller(authorization: authorization) { return caller }
        try? await keys.refreshForUnknownKey()
        return keys.caller(authorization: authorization) ?? .unknown
    }
}
