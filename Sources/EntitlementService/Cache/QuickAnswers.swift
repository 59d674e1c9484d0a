import EntitlementAPI
import EntitlementDomain
import JSONRPC

/// Answers plain calls of `entitlements.get` and `entitlements.check` on the thread that reads the connections, from the
/// cache and without building a tree. What it does not answer, the general way does, with the same result.
struct QuickAnswers: Sendable {
    let cache: AnswerCache
    let metrics: ServiceMetrics
    let clock: @Sendable () -> Instant

    /// As long as most answers are.
    private static let usualBytes = 2_000
    private static let prefix = Array(#"{"jsonrpc":"2.0","result":"#.utf8)
    private static let idName = Array(#","id":"#.utf8)

    /// The answer to a body; nil when the general way has to look at it. Only an answer is charged to the caller here.
    func answer(_ body: [UInt8], for caller: Caller) -> [UInt8]? {
        // What is refused is refused in the general way.
        guard let scopes = caller.scopes, scopes.contains(.read), let call = QuickCall(body) else { return nil }
        let started = ContinuousClock.now
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.usualBytes)
        bytes.append(contentsOf: Self.prefix)
        switch call.method {
        case .get:
            guard cache.write(call.key, at: clock(), started, minimum: call.minimum, to: &bytes) != nil else {
                return nil
            }
        case .check:
            var result: [UInt8] = []
            guard let entitlement = call.entitlement,
                cache.write(call.key, at: clock(), started, minimum: call.minimum, to: &result) != nil,
                let check = CheckText(result, body[entitlement])
            else { return nil }
            check.write(to: &bytes)
        }
        bytes.append(contentsOf: Self.idName)
        bytes.append(contentsOf: body[call.id])
        bytes.append(UInt8(ascii: "}"))
        do throws(JSONRPCError) {
            try caller.charge()
        } catch {
            return nil
        }
        metrics.countQuick(call.method, duration: ContinuousClock.now - started)
        return bytes
    }
}
