import AppStore
import EntitlementAPI
import EntitlementDomain
import EntitlementService
import EventStore
import HTTPServer
import JSON
import Postgres
import Simulator
import Synchronization
import X509

/// The real service under a clock set by hand, as a target for scenarios: requests enter at its HTTP handler, events go
/// into PostgreSQL, answers come out of the JSON-RPC methods.
final class ScenarioService: ScenarioTarget {
    private struct State {
        var setup: ScenarioSetup?
        var server: EntitlementServer?
        var now = Instant(milliseconds: 0)
    }

    private let state = Mutex(State())
    private let database: ScenarioDatabase
    private let key: APIKey

    init(database: ScenarioDatabase) throws {
        key = try APIKey.make()
        self.database = database
    }

    func reset(_ setup: ScenarioSetup) async throws {
        let known = state.withLock { $0.setup?.isSame(as: setup) == true ? $0.server : nil }
        try await database.wipe()
        let server: EntitlementServer
        if let known {
            server = known
        } else {
            let old = state.withLock { state in
                defer { state.server = nil }
                return state.server
            }
            await old?.stop()
            server = try makeServer(setup)
        }
        state.withLock { state in
            state.setup = setup
            state.server = server
        }
        try await database.addKey(
            key.record(name: "scenario", scopes: Set(Scope.allCases), createdAt: Instant(milliseconds: 0))
        )
        try await server.prepare()
        let catalog = try CatalogDocument.read(setup.catalog.serialized())
        _ = try await server.store.append(.catalog(catalog.canonicalJSON))
    }

    func setClock(_ now: Instant) async {
        state.withLock { $0.now = now }
    }

    func notify(_ body: [UInt8]) async throws -> Int {
        try await send(HTTPRequest(method: .post, target: "/appstore/notifications", body: body)).status.code
    }

    func call(_ method: String, _ params: JSONValue) async throws -> ScenarioCallResult {
        let request: JSONValue = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": params]
        let headers = [HTTPField("Authorization", "Bearer \(key.text)")]
        let response = try await send(
            HTTPRequest(method: .post, target: "/rpc", headers: headers, body: request.serialized())
        )
        guard case .bytes(let body) = response.body else { throw CommandError(.software, "an answer was streamed") }
        let value = try JSONParser.parse(body)
        if let result = value["result"] { return .result(result) }
        return .failure(
            code: value["error"]?["code"]?.int64Value ?? 0,
            reason: value["error"]?["data"]?["reason"]?.stringValue,
            message: value["error"]?["message"]?.stringValue ?? ""
        )
    }

    func eventCount() async throws -> Int64 {
        try await server().store.position().number
    }

    /// Closes the database's sessions.
    func close() async {
        await state.withLock { $0.server }?.stop()
        try? await database.drop()
    }

    private func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        try await server().handler.reply(to: request).response
    }

    private func server() throws -> EntitlementServer {
        guard let server = state.withLock({ $0.server }) else {
            throw CommandError(.software, "the scenario was not set up")
        }
        return server
    }

    private func makeServer(_ setup: ScenarioSetup) throws -> EntitlementServer {
        let (policy, problems) = PolicyDocument.read(setup.policy)
        guard problems.isEmpty else { throw CommandError(.dataError, problems.joined(separator: "; ")) }
        let configuration = ServiceConfiguration(
            store: PostgresEventStore.Configuration(
                connectionString: database.connectionString,
                role: "entitled_service",
                readers: 1,
                policy: policy
            ),
            http: HTTPServerConfiguration(),
            verifier: VerifierConfiguration(
                roots: try setup.trustedRoots.map { try Certificate(der: $0) },
                xcodeCertificates: policy.acceptXcode ? [try Certificate(der: setup.xcodeCertificate)] : []
            ),
            apps: [setup.bundleID: setup.appAppleID],
            policy: policy
        )
        return try EntitlementServer(configuration) { [self] in state.withLock { $0.now } }
    }
}

extension ScenarioSetup {
    /// Whether a service set up for the other one serves this one as well.
    fileprivate func isSame(as other: ScenarioSetup) -> Bool {
        catalog == other.catalog && policy == other.policy && trustedRoots == other.trustedRoots
            && xcodeCertificate == other.xcodeCertificate && bundleID == other.bundleID
            && appAppleID == other.appAppleID
    }
}
