import AppStore
import EntitlementDomain
import JSON
import Synchronization
import X509

/// Answers calls from a list and remembers them; after its end the last answer is repeated.
final class ScriptedTransport: ServerAPITransport {
    private struct State {
        var answers: [Result<ServerAPIReply, ServerAPITransportFailure>]
        var calls: [ServerAPICall] = []
    }

    private let state: Mutex<State>

    init(_ answers: [Result<ServerAPIReply, ServerAPITransportFailure>]) {
        state = Mutex(State(answers: answers))
    }

    convenience init(_ replies: ServerAPIReply...) {
        self.init(replies.map { .success($0) })
    }

    var calls: [ServerAPICall] { state.withLock { $0.calls } }

    func send(_ call: ServerAPICall) async throws(ServerAPITransportFailure) -> ServerAPIReply {
        let answer = state.withLock { state in
            state.calls.append(call)
            return state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
        }
        return try answer.get()
    }
}

extension ServerAPIReply {
    static func json(_ value: JSONValue, status: Int = 200) -> ServerAPIReply {
        ServerAPIReply(status: status, body: value.serialized())
    }

    static func error(_ code: Int64, status: Int? = nil) -> ServerAPIReply {
        .json(["errorCode": JSONValue(code), "errorMessage": "words"], status: status ?? Int(code / 10_000))
    }
}

/// A clock that waiting moves on, and the waits.
final class VirtualTime: Sendable {
    private let state: Mutex<(now: Instant, waits: [Duration])>

    init(_ now: Instant = SigningDesk.now) {
        state = Mutex((now, []))
    }

    var now: Instant {
        get { state.withLock { $0.now } }
        set { state.withLock { $0.now = newValue } }
    }

    var waits: [Duration] { state.withLock { $0.waits } }

    func timing(random: Double = 0) -> ServerAPITiming {
        ServerAPITiming(
            now: { self.now },
            sleep: { duration in
                self.state.withLock { state in
                    state.waits.append(duration)
                    let (seconds, attoseconds) = duration.components
                    state.now = state.now.advanced(
                        byMilliseconds: seconds * 1_000 + attoseconds / 1_000_000_000_000_000
                    )
                }
            },
            random: { random }
        )
    }
}

/// A client over a scripted transport.
struct APIDesk {
    static let issuerID = "57246542-96fe-1a63-e053-0824d011072a"
    static let keyID = "2X9R4HXF34"
    static let key = Result { try P256PrivateKey.generate() }

    let transport: ScriptedTransport
    let time = VirtualTime()
    let client: ServerAPIClient

    init(
        _ transport: ScriptedTransport,
        environments: Set<StoreEnvironment> = [.production, .sandbox],
        random: Double = 0
    ) throws {
        self.transport = transport
        client = ServerAPIClient(
            credentials: ServerAPICredentials(issuerID: Self.issuerID, keyID: Self.keyID, key: try Self.key.get()),
            bundleID: "com.example.app",
            hosts: ServerAPIHosts(production: "http://production.test", sandbox: "http://sandbox.test"),
            transport: transport,
            reader: try SigningDesk.shared.get().reader(environments: environments),
            timing: time.timing(random: random)
        )
    }

    /// The hosts that were called, in order.
    var hosts: [String] {
        transport.calls.map { $0.url.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
    }
}

/// The error that `body` ends in, nil when it ends well.
func serverAPIError(_ body: () async throws(ServerAPIError) -> Void) async -> ServerAPIError? {
    do {
        try await body()
        return nil
    } catch {
        return error
    }
}
