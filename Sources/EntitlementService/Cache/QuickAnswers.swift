import EntitlementAPI
import EntitlementDomain
import JSONRPC
import X509

/// Answers plain calls of `entitlements.get` and `entitlements.check` without building a tree: from the cache on the
/// thread that serves the connection, from the database on the thread that reads there. What it does not answer, the
/// general way does, with the same result.
struct QuickAnswers: Sendable {
    /// An answer, or the way to it.
    enum Reply {
        case now([UInt8])
        /// Calls what it gets once, from another thread; with nil when the database does not answer, which the general way
        /// has words for.
        case called(@Sendable (_ respond: @escaping @Sendable ([UInt8]?) -> Void) -> Void)
    }

    let reads: AccountReads
    let metrics: ServiceMetrics

    /// As long as most answers are.
    private static let usualBytes = 2_000
    // Literals: arrays would be shared by all threads, which wait for each other to count references.
    private static let prefix = #"{"jsonrpc":"2.0","result":"#
    private static let idName = #","id":"#

    /// The answer to a body; nil when the general way has to look at it. Only an answer is charged to the caller here.
    func reply(_ body: [UInt8], for caller: Caller) -> Reply? {
        // What is refused is refused in the general way.
        guard let scopes = caller.scopes, scopes.contains(.read), let call = QuickCall(body) else { return nil }
        let started = ContinuousClock.now
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.usualBytes)
        bytes.append(copying: Self.prefix.utf8Span.span)
        let isKnown =
            switch call.method {
            case .get: write(call.key, started, call.minimum, to: &bytes)
            case .check: writeCheck(call, of: body, started, to: &bytes)
            }
        // To wait for a position is for the general way.
        if !isKnown, call.minimum != nil { return nil }
        do throws(JSONRPCError) {
            try caller.charge()
        } catch {
            return nil
        }
        guard isKnown else { return .called { respond in read(call, of: body, since: started, respond) } }
        end(&bytes, call, of: body, since: started)
        return .now(bytes)
    }

    // MARK: From memory

    private func write(
        _ key: AnswerKey,
        _ started: ContinuousClock.Instant,
        _ minimum: LogPosition?,
        to bytes: inout [UInt8]
    ) -> Bool {
        reads.cache.write(key, at: reads.clock(), started, minimum: minimum, to: &bytes) != nil
    }

    private func writeCheck(
        _ call: QuickCall,
        of body: [UInt8],
        _ started: ContinuousClock.Instant,
        to bytes: inout [UInt8]
    ) -> Bool {
        var result: [UInt8] = []
        guard let entitlement = call.entitlement, write(call.key, started, call.minimum, to: &result),
            let check = CheckText(result, body[entitlement])
        else { return false }
        check.write(to: &bytes)
        return true
    }

    // MARK: From the database

    private func read(
        _ call: QuickCall,
        of body: [UInt8],
        since started: ContinuousClock.Instant,
        _ respond: @escaping @Sendable ([UInt8]?) -> Void
    ) {
        reads.read(call.key.account, in: call.key.storeEnvironment) { result in
            guard case .success(let read) = result else { return respond(nil) }
            var bytes: [UInt8] = []
            bytes.reserveCapacity(read.json.count + 100)
            bytes.append(copying: Self.prefix.utf8Span.span)
            if let name = call.entitlement.map({ String(decoding: body[$0], as: UTF8.self) }) {
                let check = EntitlementsCheck.Response(
                    entitlement: name,
                    source: read.answer[entitlement: name]?.decisive,
                    position: read.position
                )
                bytes.append(contentsOf: check.json)
            } else {
                bytes.append(contentsOf: read.json)
            }
            end(&bytes, call, of: body, since: started)
            respond(bytes)
        }
    }

    /// Writes what follows the result, and counts the call.
    private func end(
        _ bytes: inout [UInt8],
        _ call: QuickCall,
        of body: [UInt8],
        since started: ContinuousClock.Instant
    ) {
        bytes.append(copying: Self.idName.utf8Span.span)
        bytes.append(copying: body.span.extracting(call.id))
        bytes.append(UInt8(ascii: "}"))
        metrics.countQuick(call.method, duration: ContinuousClock.now - started)
    }
}
