package import EntitlementDomain
import JSON

/// The App Store Server API for one app: every endpoint about in-app purchase of version 1.21.
///
/// Calls are repeated while that can help: at failures of the network and the server with growing waits, under a rate limit
/// when it ends. Signed parts of responses are verified like any other statement. Where a call leaves the environment
/// open, Production is asked first and the Sandbox only when Production does not know the id.
package struct ServerAPIClient: Sendable {
    /// The app that all calls are about.
    package let bundleID: String
    let hosts: ServerAPIHosts
    let transport: any ServerAPITransport
    let reader: StatementReader
    let retries: ServerAPIRetries
    let timing: ServerAPITiming
    private let tokens: ServerAPITokens

    /// - Parameters:
    ///   - reader: who may have signed, and what is ours; the environments that it accepts are the ones asked.
    package init(
        credentials: ServerAPICredentials,
        bundleID: String,
        hosts: ServerAPIHosts = ServerAPIHosts(),
        transport: any ServerAPITransport,
        reader: StatementReader,
        retries: ServerAPIRetries = ServerAPIRetries(),
        timing: ServerAPITiming
    ) {
        self.bundleID = bundleID
        self.hosts = hosts
        self.transport = transport
        self.reader = reader
        self.retries = retries
        self.timing = timing
        tokens = ServerAPITokens(credentials, bundleID: bundleID)
    }

    /// The environments that are accepted here and have an API, Production first.
    package var environments: [StoreEnvironment] {
        [.production, .sandbox].filter { reader.policy.acceptedEnvironments.contains($0) }
    }

    /// Makes a call in `environment`; nil: in Production, and in the Sandbox if Production does not know the id.
    func find<Value>(
        _ request: ServerAPIRequest,
        in environment: StoreEnvironment?,
        isUnknown: (ServerAPIRefusal) -> Bool = { $0.known?.meansUnknownTransaction ?? false },
        decode: (ResponseReader) throws(ServerAPIError) -> Value
    ) async throws(ServerAPIError) -> Value {
        let candidates = environment.map { [$0] } ?? environments
        var refusal: ServerAPIError?
        for candidate in candidates {
            do throws(ServerAPIError) {
                return try await call(request, in: candidate, decode: decode)
            } catch {
                guard case .refused(let reason) = error, isUnknown(reason) else { throw error }
                refusal = error
            }
        }
        throw refusal ?? .invalidArgument("no environment is accepted that has an App Store Server API")
    }

    /// Makes a call in one environment and reads the response.
    func call<Value>(
        _ request: ServerAPIRequest,
        in environment: StoreEnvironment,
        decode: (ResponseReader) throws(ServerAPIError) -> Value
    ) async throws(ServerAPIError) -> Value {
        let reply = try await send(request, in: environment)
        return try decode(
            try ResponseReader(reply.body, environment: environment, reader: reader, now: timing.now())
        )
    }

    /// Makes a call in one environment, as often as it takes.
    func send(_ request: ServerAPIRequest, in environment: StoreEnvironment) async throws(ServerAPIError)
        -> ServerAPIReply
    {
        guard let host = hosts.host(of: environment) else {
            throw .invalidArgument("there is no App Store Server API for the environment \(environment.rawValue)")
        }
        let url = host + (try request.target())
        var state = RetryState(request: request, retries: retries)
        while true {
            let token = try tokens.token(at: timing.now())
            let step: RetryState.Step
            do throws(ServerAPITransportFailure) {
                let reply = try await transport.send(call(request, url: url, token: token))
                if reply.status == 401 { tokens.drop(token) }
                step = state.step(after: reply, now: timing.now(), random: timing.random())
            } catch {
                step = state.step(after: error, random: timing.random())
            }
            switch step {
            case .done(let reply): return reply
            case .fail(let error): throw error
            case .wait(let duration):
                do {
                    try await timing.sleep(duration)
                } catch {
                    throw .cancelled
                }
            }
        }
    }

    private func call(_ request: ServerAPIRequest, url: String, token: String) -> ServerAPICall {
        var headers = [
            "Authorization": "Bearer \(token)", "Accept": "application/json", "User-Agent": "entitled",
        ]
        if request.body != nil { headers["Content-Type"] = "application/json" }
        return ServerAPICall(
            method: request.method.rawValue,
            url: url,
            headers: headers,
            body: request.body.map { JSONValue.object($0).serialized() }
        )
    }
}
