import AppStore
import EntitlementAPI
import EntitlementDomain
import EntitlementService
import EventStore
import Foundation
import HTTPServer
import JSON
import Postgres
import PostgresTesting
import SchemaTesting
import Testing

/// A service over a database of its own and under a clock set by hand; requests enter at its HTTP handler.
struct TestService {
    static let start = Instant(milliseconds: 1_775_001_600_000)
    static let account = "11111111-1111-4111-8111-111111111111"

    private static let catalog: JSONValue = [
        "entitlements": [["id": "pro"], ["id": "max"]], "currencies": [["id": "coins"]],
        "products": [
            ["productId": "coins.100", "type": "consumable", "credits": ["coins": 100]]
        ],
    ]

    let server: EntitlementServer
    let clock: ManualClock
    /// A key with every scope.
    let key: APIKey
    /// What the service's own OpenRPC document promises.
    let contract: ServiceContract
    private let owner: PostgresConfiguration

    /// Lends a service with a catalog, and removes it afterwards.
    static func with<Value>(
        tokens: TokenConfiguration = TokenConfiguration(),
        checkpoints: CheckpointConfiguration = CheckpointConfiguration(),
        _ body: (TestService) async throws -> Value
    ) async throws -> Value {
        let database = try await TestDatabase.create()
        let owner = database.ownerConfiguration
        try await PostgresThread.withSession(owner) { try SchemaMigrator.migrate($0) }
        let service = try await TestService(
            database.connectionString(user: "entitled_service"),
            owner,
            tokens: tokens,
            checkpoints: checkpoints
        )
        do {
            _ = try await service.result("catalog.put", ["catalog": catalog])
            let value = try await body(service)
            await service.server.stop()
            try await database.drop()
            return value
        } catch {
            await service.server.stop()
            try? await database.drop()
            throw error
        }
    }

    private init(
        _ connectionString: String,
        _ owner: PostgresConfiguration,
        tokens: TokenConfiguration,
        checkpoints: CheckpointConfiguration
    ) async throws {
        let clock = ManualClock(Self.start)
        var configuration = ServiceConfiguration(
            store: PostgresEventStore.Configuration(
                connectionString: connectionString,
                readers: 2,
                waitForReader: .seconds(60)
            ),
            http: HTTPServerConfiguration(),
            verifier: VerifierConfiguration(roots: AppleRoots.appStore),
            apps: ["com.example.app": 1],
            policy: Policy()
        )
        configuration.tokens = tokens
        configuration.checkpoints = checkpoints
        self.clock = clock
        self.owner = owner
        server = try EntitlementServer(configuration) { clock.now }
        var document: [UInt8] = []
        if case .now(let response) = server.handler.reply(to: HTTPRequest(method: .get, target: "/openrpc.json")) {
            document = response.bytes
        }
        contract = ServiceContract(try JSONParser.parse(document))
        key = try APIKey.make()
        let record = key.record(name: "test", scopes: Set(Scope.allCases), createdAt: Instant(milliseconds: 0))
        try await PostgresThread.withSession(owner) { try $0.addKey(record) }
        try await server.prepare()
    }

    /// A new key.
    func addKey(
        _ scopes: Set<Scope>,
        expiresAt: Instant? = nil,
        callsPerSecond: Int? = nil
    ) async throws -> APIKey {
        let key = try APIKey.make()
        let record = key.record(
            name: "extra",
            scopes: scopes,
            createdAt: clock.now,
            expiresAt: expiresAt,
            callsPerSecond: callsPerSecond
        )
        try await PostgresThread.withSession(owner) { try $0.addKey(record) }
        return key
    }

    /// Revokes a key.
    ///
    /// - Returns: whether there was one in force.
    func revoke(_ key: APIKey) async throws -> Bool {
        let (keyID, now) = (key.keyID, clock.now)
        return try await PostgresThread.withSession(owner) { try $0.revokeKey(keyID, at: now) }
    }

    func send(_ request: HTTPRequest) async -> HTTPResponse {
        await server.handler.reply(to: request).response
    }

    /// Posts a body to `/rpc`.
    ///
    /// - Returns: the answer; null when there is none.
    func post(_ body: JSONValue, key: APIKey?) async throws -> JSONValue {
        let headers = key.map { [HTTPField("Authorization", "Bearer \($0.text)")] } ?? []
        let response = await send(
            HTTPRequest(method: .post, target: "/rpc", headers: headers, body: body.serialized())
        )
        let bytes = response.bytes
        return bytes.isEmpty ? .null : try JSONParser.parse(bytes)
    }

    /// The whole answer to one call. One that the OpenRPC document does not promise fails the test.
    func call(_ method: String, _ params: JSONValue, key: APIKey? = nil) async throws -> JSONValue {
        let body: JSONValue = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": params]
        let answer = try await post(body, key: key ?? self.key)
        let problems = contract.problems(ofAnswer: answer, of: method)
        if !problems.isEmpty { Issue.record("\(problems.joined(separator: "; "))") }
        return answer
    }

    /// The result of one call that must succeed.
    func result(_ method: String, _ params: JSONValue) async throws -> JSONValue {
        let answer = try await call(method, params)
        return try #require(answer["result"], "\(answer)")
    }

    /// Gives the account an entitlement between two instants.
    func grant(_ entitlement: String, from: Instant, to: Instant?) async throws {
        _ = try await result(
            "grants.issue",
            [
                "account": .string(Self.account), "entitlement": .string(entitlement), "reason": "test",
                "idempotencyKey": .string("\(entitlement) \(from.milliseconds)"),
                "startsAt": .number(JSONNumber(from.milliseconds)),
                "expiresAt": to.map { .number(JSONNumber($0.milliseconds)) } ?? .null,
            ]
        )
    }
}

extension HTTPResponse {
    /// The body of a response that is not streamed.
    var bytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }
}
