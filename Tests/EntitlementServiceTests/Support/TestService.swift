import AppStore
import EntitlementAPI
import EntitlementDomain
import EntitlementService
import EventStore
import HTTPServer
import JSON
import Postgres
import PostgresTesting
import SchemaTesting
import Simulator
import Testing
import X509

/// The real service on a database of its own, entered at its HTTP handler, under a clock set by hand.
final class TestService: Sendable {
    /// One set of keys for all tests; making them is slow.
    static let signing = Result { try ScenarioSigning.make() }

    /// A service for tests that change nothing.
    static let shared = Task { try await TestService.make() }

    let server: EntitlementServer
    let database: TestDatabase
    let key: APIKey
    /// What the service's own OpenRPC document promises; every answer is held to it.
    let contract: ServiceContract
    private let clock: SharedClock

    /// Makes the database, the service, a key with every scope, and puts the catalog into force.
    static func make(
        catalog: JSONValue? = Samples.catalog,
        policy: JSONValue = [:],
        database: TestDatabase? = nil,
        tokens: TokenConfiguration = TokenConfiguration(),
        receiptService: ReceiptService? = nil,
        appStore: AppStoreAccess? = nil,
        log: ServiceLog = .off,
        now: String = "2026-03-01T00:00:00Z"
    ) async throws -> TestService {
        let isNew = database == nil
        let database = if let database { database } else { try await TestDatabase.create() }
        let service = try await TestService(
            database: database,
            policy: policy,
            tokens: tokens,
            receiptService: receiptService,
            appStore: appStore,
            log: log,
            now: Samples.date(now)
        )
        let key = service.key.record(name: "test", scopes: Set(Scope.allCases), createdAt: Samples.date("2000-01-01"))
        try await PostgresThread.withSession(database.ownerConfiguration) { session in
            if isNew { try SchemaMigrator.migrate(session) }
            try session.addKey(key)
        }
        try await service.server.prepare()
        if let catalog { try await service.put(catalog) }
        return service
    }

    private init(
        database: TestDatabase,
        policy: JSONValue,
        tokens: TokenConfiguration,
        receiptService: ReceiptService?,
        appStore: AppStoreAccess?,
        log: ServiceLog,
        now: Instant
    ) async throws {
        let (policy, problems) = PolicyDocument.read(policy)
        precondition(problems.isEmpty, "\(problems)")
        let signing = try Self.signing.get()
        var configuration = ServiceConfiguration(
            store: PostgresEventStore.Configuration(
                connectionString: database.ownerConnectionString,
                role: "entitled_service",
                readers: 2,
                // A machine that is busy with other tests proves nothing.
                waitForReader: .seconds(60),
                policy: policy
            ),
            http: HTTPServerConfiguration(),
            verifier: VerifierConfiguration(
                roots: try signing.trustedRoots.map { try Certificate(der: $0) },
                xcodeCertificates: policy.acceptXcode ? [try Certificate(der: signing.xcodeCertificate)] : []
            ),
            apps: ["com.example.app": 1_234_567_890, "com.example.other": nil],
            policy: policy
        )
        configuration.tokens = tokens
        configuration.receiptService = receiptService
        configuration.appStore = appStore
        configuration.log = log
        self.database = database
        key = try APIKey.make()
        let clock = SharedClock(now)
        self.clock = clock
        server = try EntitlementServer(configuration) { clock.now }
        let document = await Self.answer(HTTPRequest(method: .get, target: "/openrpc.json"), of: server)
        contract = ServiceContract(try JSONParser.parse(document))
    }

    var store: PostgresEventStore { server.store }

    func setClock(_ text: String) {
        clock.now = Samples.date(text)
    }

    /// Puts a catalog into force.
    func put(_ catalog: JSONValue) async throws {
        _ = try await call("catalog.put", ["catalog": catalog])
    }

    /// The result of a call.
    ///
    /// - Throws: `CallFailure` for an error answer. An answer that the OpenRPC document does not promise fails the test.
    @discardableResult
    func call(_ method: String, _ params: JSONValue) async throws -> JSONValue {
        let request: JSONValue = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": params]
        let response = try await send(.post, "/rpc", request.serialized())
        let problems = contract.problems(ofAnswer: response, of: method)
        if !problems.isEmpty { Issue.record("\(problems.joined(separator: "; "))") }
        if let result = response["result"] { return result }
        throw CallFailure(response["error"] ?? .null)
    }

    /// The body at a path, as JSON.
    func get(_ target: String) async throws -> JSONValue {
        try await send(.get, target, [])
    }

    /// The text of `/metrics`.
    func metrics() async throws -> String {
        String(decoding: try await bytes(.get, "/metrics", []), as: UTF8.self)
    }

    /// The whole response to a request.
    func respond(to request: HTTPRequest) async -> HTTPResponse {
        await server.handler.reply(to: request).response
    }

    /// Delivers a notification about a transaction.
    @discardableResult
    func notify(_ uuid: String, _ transaction: JSONObject, headers: [HTTPField] = []) async throws -> HTTPResponse {
        let payload: JSONObject = [
            "notificationType": "SUBSCRIBED", "subtype": "INITIAL_BUY", "notificationUUID": .string(uuid),
            "version": "2.0", "signedDate": Samples.milliseconds("2026-03-01T00:00:00Z"),
            "data": [
                "appAppleId": 1_234_567_890, "bundleId": "com.example.app", "bundleVersion": "1",
                "environment": "Production", "signedTransactionInfo": .string(try Samples.sign(transaction)),
            ],
        ]
        let body: JSONValue = ["signedPayload": .string(try Samples.sign(payload))]
        return await respond(
            to: HTTPRequest(method: .post, target: "/appstore/notifications", headers: headers, body: body.serialized())
        )
    }

    /// One number from the database, as its owner.
    func count(_ sql: String) async throws -> Int64 {
        let owner = PostgresThread(database.ownerConfiguration)
        let count = try await owner.run { try $0.query(sql).int64(0, 0) }
        await owner.close()
        return count
    }

    /// Closes the database's sessions and removes the database.
    func close() async throws {
        await server.stop()
        try await database.drop()
    }

    private func send(_ method: HTTPMethod, _ target: String, _ body: [UInt8]) async throws -> JSONValue {
        try JSONParser.parse(try await bytes(method, target, body))
    }

    private func bytes(_ method: HTTPMethod, _ target: String, _ body: [UInt8]) async throws -> [UInt8] {
        let headers = [HTTPField("Authorization", "Bearer \(key.text)")]
        let request = HTTPRequest(method: method, target: target, headers: headers, body: body)
        return await Self.answer(request, of: server)
    }

    private static func answer(_ request: HTTPRequest, of server: EntitlementServer) async -> [UInt8] {
        let response = await server.handler.reply(to: request).response
        guard case .bytes(let bytes) = response.body else { return [] }
        return bytes
    }
}
