import AppStore
import EntitlementDomain
import JSON
import X509

/// Failures on command.
extension FakeStoreState {
    /// The fault that meets a call, used up by it.
    mutating func takeFault(path: String) -> InjectedFault? {
        guard let index = faults.firstIndex(where: { $0.path.isEmpty || path.contains($0.path) }) else { return nil }
        let fault = faults[index]
        if let times = fault.times {
            if times <= 1 { faults.remove(at: index) } else { faults[index].times = times - 1 }
        }
        return fault
    }

    /// The answer to a call, spoiled where a fault says so.
    mutating func answer(
        _ call: FakeCall,
        fault: InjectedFault.Effect?,
        stranger: StatementSigner?
    ) -> FakeAnswer {
        do throws(FakeStoreError) {
            var answer: FakeAnswer
            if fault == .forgery, let stranger {
                var copy = FakeStoreState(copying: self, signer: stranger)
                answer = try copy.answer(call)
            } else {
                answer = try self.answer(call)
            }
            if fault == .endlessPages, var body = (try? JSONParser.parse(answer.body))?.objectValue {
                body["hasMore"] = true
                body["revision"] = .string(call.value("revision") ?? "a_0")
                body["paginationToken"] = .string(call.value("paginationToken") ?? "0_\(now.milliseconds)")
                answer.body = JSONValue.object(body).serialized()
            }
            return answer
        } catch {
            switch error {
            case .refused(let code): return FakeAnswer(code: code.rawValue)
            case .unknown, .signing: return FakeAnswer(code: ServerAPIErrorCode.generalInternal.rawValue)
            }
        }
    }
}

extension InjectedFault {
    /// The reply that a fault gives by itself; nil: the call is answered, and spoiled.
    func reply(now: Instant) -> FakeReply? {
        switch effect {
        case .code(let code): return FakeReply(FakeAnswer(code: code))
        case .status(let status): return FakeReply(FakeAnswer(status: status, body: Array("<html></html>".utf8)))
        case .rateLimit(let milliseconds):
            return FakeReply(FakeAnswer(code: 4_290_000, retryAfter: milliseconds.map { now.milliseconds + $0 }))
        case .cut:
            var reply = FakeReply(FakeAnswer(["signedTransactionInfo": "cut"]))
            reply.isCut = true
            return reply
        case .garbage: return FakeReply(FakeAnswer(status: 200, body: Array("<html>not JSON</html>".utf8)))
        case .unauthorized: return FakeReply(FakeAnswer(status: 401, body: Array("Unauthenticated\n".utf8)))
        case .redirect(let location):
            var reply = FakeReply(FakeAnswer(status: 302))
            reply.location = location
            return reply
        case .forgery, .endlessPages: return nil
        }
    }
}
