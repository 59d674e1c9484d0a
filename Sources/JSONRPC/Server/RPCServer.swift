import JSON

/// The server's side of JSON-RPC 2.0: takes bodies, calls methods, gives bodies. It knows no transport.
///
/// `Context` is whatever the transport knows about the caller; each method gets it.
package struct RPCServer<Context: Sendable>: Sendable {
    private let methods: [String: RPCMethod<Context>]
    private let limits: RPCLimits
    private let interceptor: (any RPCInterceptor<Context>)?

    /// A server with these methods. Two methods of one name are a programming error.
    ///
    /// - Parameter interceptor: sees each call, also those inside a batch.
    package init(
        methods: [RPCMethod<Context>],
        limits: RPCLimits = RPCLimits(),
        interceptor: (any RPCInterceptor<Context>)? = nil
    ) {
        self.methods = Dictionary(uniqueKeysWithValues: methods.map { ($0.name, $0) })
        self.limits = limits
        self.interceptor = interceptor
    }

    /// The names of all methods, sorted.
    package var methodNames: [String] { methods.keys.sorted() }

    /// Answers a body; nil when nothing is to be answered (all calls were notifications).
    package func respond(to body: [UInt8], context: Context) async -> [UInt8]? {
        switch reply(to: body, context: context) {
        case .now(let answer): answer
        case .later(let work): await work()
        }
    }

    /// Answers a body at once where that is possible: a single call whose method has the answer ready, a refused call,
    /// a malformed body. Never blocks.
    package func reply(to body: [UInt8], context: Context) -> RPCReply {
        let call: IncomingCall
        do throws(InvalidCall) {
            guard let scanner = try scanner(of: body) else {
                return batchReply(to: body, context: context)
            }
            call = try RPCRequestReader.read(scanner)
        } catch {
            return .now(ResponseWriter.error(error.error, id: error.id))
        }
        switch start(call, context: context) {
        case .ended(let outcome):
            return .now(response(to: call, outcome))
        case .running(let running):
            return .later { response(to: call, await finish(running, call, context: context)) }
        }
    }

    /// A scanner over the single request of a body; nil when the body is an array.
    private func scanner(of body: [UInt8]) throws(InvalidCall) -> JSONScanner? {
        do throws(JSONSyntaxError) {
            return try JSONScanner(body, maxDepth: limits.maximumDepth)
        } catch  where error.reason == .notAnObject {
            if body[error.offset] == UInt8(ascii: "[") { return nil }
            // Neither object nor array: not JSON at all, or a value that is no request.
            do throws(JSONSyntaxError) { _ = try JSONParser.parse(body) } catch { throw InvalidCall(.parseError) }
            throw InvalidCall()
        } catch {
            throw InvalidCall(JSONRPCError(error))
        }
    }

    // MARK: Batches

    private func batchReply(to body: [UInt8], context: Context) -> RPCReply {
        let elements: JSONElements
        do throws(JSONSyntaxError) {
            elements = try JSONElements(body, limit: limits.maximumBatch, maxDepth: limits.maximumDepth)
        } catch {
            return .now(ResponseWriter.error(JSONRPCError(error), id: .null))
        }
        if elements.count == 0 { return .now(ResponseWriter.error(.invalidRequest, id: .null)) }
        if elements.count > limits.maximumBatch {
            return .now(ResponseWriter.error(.batchTooLarge(limit: limits.maximumBatch), id: .null))
        }
        return .later { await respond(to: elements.tokens, of: body, context: context) }
    }

    /// Runs the calls one after the other, so that a batch has the effect its order suggests.
    private func respond(to entries: [JSONToken], of body: [UInt8], context: Context) async -> [UInt8]? {
        var answers: [UInt8] = []
        for entry in entries {
            guard let answer = await respond(to: entry, of: body, used: answers.count + 1, context: context) else {
                continue
            }
            answers.append(answers.isEmpty ? UInt8(ascii: "[") : UInt8(ascii: ","))
            answers.append(contentsOf: answer)
        }
        if answers.isEmpty { return nil }
        answers.append(UInt8(ascii: "]"))
        return answers
    }

    private func respond(to entry: JSONToken, of body: [UInt8], used: Int, context: Context) async -> [UInt8]? {
        let call: IncomingCall
        do throws(InvalidCall) {
            guard let scanner = JSONScanner(entry, in: body, maxDepth: limits.maximumDepth) else { throw InvalidCall() }
            call = try RPCRequestReader.read(scanner)
        } catch {
            return ResponseWriter.error(error.error, id: error.id)
        }
        // A notification adds nothing to the response, so it is run even when the response is full.
        if let id = call.id, used >= limits.maximumResponseBytes {
            return ResponseWriter.error(.responseTooLarge(limit: limits.maximumResponseBytes), id: id)
        }
        switch start(call, context: context) {
        case .ended(let outcome): return response(to: call, outcome)
        case .running(let running): return response(to: call, await finish(running, call, context: context))
        }
    }

    // MARK: One call

    private typealias CallResult = Result<[UInt8], JSONRPCError>

    private enum Progress {
        case ended(CallResult)
        case running(Running)
    }

    /// A call that was let in and not answered at once.
    private struct Running: Sendable {
        let method: RPCMethod<Context>
        let started: ContinuousClock.Instant?
    }

    /// Lets the interceptor decide and tries the quick way.
    private func start(_ call: IncomingCall, context: Context) -> Progress {
        let method = methods[call.method]
        let started = interceptor == nil ? nil : ContinuousClock.now
        do throws(JSONRPCError) {
            try interceptor?.willCall(description(of: call), context: context)
            // Names beginning with "rpc." are reserved (section 4.2), so an unknown one is simply not found.
            guard let method else { throw .methodNotFound }
            guard let result = try method.immediate?(call.params, context) else {
                return .running(Running(method: method, started: started))
            }
            report(call, started, context, .result(bytes: result.count))
            return .ended(.success(result))
        } catch {
            report(call, started, context, .error(error))
            return .ended(.failure(error))
        }
    }

    private func finish(_ running: Running, _ call: IncomingCall, context: Context) async -> CallResult {
        do throws(JSONRPCError) {
            let result = try await running.method.handler(call.params, context)
            report(call, running.started, context, .result(bytes: result.count))
            return .success(result)
        } catch {
            report(call, running.started, context, .error(error))
            return .failure(error)
        }
    }

    private func report(
        _ call: IncomingCall,
        _ started: ContinuousClock.Instant?,
        _ context: Context,
        _ outcome: RPCOutcome
    ) {
        guard let interceptor, let started else { return }
        interceptor.didCall(
            description(of: call),
            context: context,
            duration: ContinuousClock.now - started,
            outcome: outcome
        )
    }

    private func description(of call: IncomingCall) -> RPCCall {
        RPCCall(method: call.method, isKnown: methods[call.method] != nil, isNotification: call.id == nil)
    }

    private func response(to call: IncomingCall, _ result: CallResult) -> [UInt8]? {
        guard let id = call.id else { return nil }
        switch result {
        case .success(let result): return ResponseWriter.result(result, id: id)
        case .failure(let error): return ResponseWriter.error(error, id: id)
        }
    }
}
