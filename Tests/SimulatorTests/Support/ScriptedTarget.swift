import EntitlementDomain
import JSON
import Simulator
import Synchronization

/// A target that answers as a test tells it, and remembers what it was asked. It checks the runner, nothing else.
final class ScriptedTarget: ScenarioTarget {
    /// What has reached the target since the last reset.
    struct State: Sendable {
        var setup: ScenarioSetup?
        var now = Instant(milliseconds: 0)
        /// The decoded payloads of accepted notifications and the params of accepted calls, in order of arrival.
        var received: [JSONValue] = []
        var events: Int64 = 0
        /// Everything that happened, over all resets.
        var journal: [String] = []
    }

    typealias Notify = @Sendable (inout State, _ payload: JSONValue) -> Int
    typealias Call = @Sendable (inout State, _ method: String, _ params: JSONValue) -> ScenarioCallResult

    private let state = Mutex(State())
    private let onNotify: Notify
    private let onCall: Call

    init(
        notify: @escaping Notify = { _, _ in 200 },
        call: @escaping Call = { _, _, _ in .result(["entitlements": [], "balances": [:]]) }
    ) {
        onNotify = notify
        onCall = call
    }

    var journal: [String] { state.withLock { $0.journal } }
    var setup: ScenarioSetup? { state.withLock { $0.setup } }

    func reset(_ setup: ScenarioSetup) async throws {
        if setup.catalog["isFaulty"] != nil { throw Refused() }
        state.withLock { state in
            state = State(setup: setup, now: state.now, journal: state.journal + ["\(state.now.iso8601) reset"])
        }
    }

    func setClock(_ now: Instant) async {
        state.withLock { $0.now = now }
    }

    func notify(_ body: [UInt8]) async throws -> Int {
        let text = try JSONParser.parse(body)["signedPayload"]!.stringValue!
        let payload = SignedText.genuinePayload(of: text)
        return state.withLock { state in
            state.journal.append("\(state.now.iso8601) \(payload?["notificationType"]?.stringValue ?? "forged")")
            return onNotify(&state, payload ?? .null)
        }
    }

    func call(_ method: String, _ params: JSONValue) async throws -> ScenarioCallResult {
        state.withLock { state in
            state.journal.append("\(state.now.iso8601) \(method)")
            return onCall(&state, method, params)
        }
    }

    func eventCount() async throws -> Int64 {
        state.withLock { $0.events }
    }

    struct Refused: Error, CustomStringConvertible {
        let description = "this catalog is faulty"
    }
}
