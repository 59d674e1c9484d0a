import AppStore
import EntitlementAPI
import EntitlementDomain
import EntitlementService
import EventStore
import HTTPServer
import JSON
import Postgres
import PostgresTesting
import Simulator
import Synchronization
import X509

/// A fake App Store and the real service with a database of its own, under the fake store's clock. Calls of the API go over
/// loopback; notifications go straight to the service's handler, as long as it is up.
final class HealingDesk: Sendable {
    static let account = AccountID(high: 0x1111_1111_1111_4111, low: 0x8111_1111_1111_1111)
    static let credentials = Result { try FakeCredentials.make() }

    let fake: FakeAppStore
    let server: EntitlementServer
    let database: TestDatabase
    private let key: APIKey
    private let listener: HTTPListener
    private let door: Door

    /// Takes notifications to the service, or fails.
    private final class Door: ServerAPITransport {
        let isOpen = Mutex(true)
        let handler = Mutex<(any HTTPHandler)?>(nil)

        func send(_ call: ServerAPICall) async throws(ServerAPITransportFailure) -> ServerAPIReply {
            guard isOpen.withLock({ $0 }), let handler = handler.withLock({ $0 }) else {
                throw .unreachable("the service is down")
            }
            let request = HTTPRequest(method: .post, target: "/appstore/notifications", body: call.body ?? [])
            let response = await handler.reply(to: request).response
            return ServerAPIReply(status: response.status.code)
        }
    }

    /// - Parameters:
    ///   - access: changes how the service reaches the App Store; nil from it: no credentials.
    ///   - trusts: whether the service trusts the fake store's root.
    static func make(
        now: String = "2026-03-01T00:00:00Z",
        database: TestDatabase? = nil,
        trusts: Bool = true,
        access change: (inout AppStoreAccess?) -> Void = { _ in }
    ) async throws -> HealingDesk {
        let isNew = database == nil
        let database = if let database { database } else { try await TestDatabase.create() }
        let desk = try HealingDesk(now: Samples.date(now), database: database, trusts: trusts, change)
        let key = desk.key.record(name: "test", scopes: Set(Scope.allCases), createdAt: Samples.date("2000-01-01"))
        try await PostgresThread.withSession(database.ownerConfiguration) { session in
            if isNew { try SchemaMigrator.migrate(session) }
            try session.addKey(key)
        }
        try await desk.server.prepare()
        if isNew { try await desk.call("catalog.put", ["catalog": Samples.catalog]) }
        return desk
    }

    private init(
        now: Instant,
        database: TestDatabase,
        trusts: Bool,
        _ change: (inout AppStoreAccess?) -> Void
    ) throws {
        let signing = try TestService.signing.get()
        let credentials = try Self.credentials.get()
        door = Door()
        let fake = FakeAppStore(
            FakeAppStore.Configuration(credentials: credentials, signer: signing.appStore.signer, startsAt: now),
            transport: door
        )
        fake.setNotificationURL("http://service.test/", in: .production)
        fake.setNotificationURL("http://service.test/", in: .sandbox)
        self.fake = fake
        listener = try HTTPListener.start(HTTPServerConfiguration(), handler: FakeAppStoreServer(fake))
        let url = "http://127.0.0.1:\(listener.port)"
        var access: AppStoreAccess? = AppStoreAccess(credentials: credentials.credentials)
        access?.hosts = ServerAPIHosts(production: url + "/production", sandbox: url + "/sandbox")
        access?.timing = ServerAPITiming(now: { fake.now }, sleep: { _ in }, random: { 0 })
        change(&access)
        var configuration = ServiceConfiguration(
            store: PostgresEventStore.Configuration(
                connectionString: database.ownerConnectionString,
                role: "entitled_service",
                readers: 2,
                // A machine that is busy with other tests proves nothing.
                waitForReader: .seconds(60)
            ),
            http: HTTPServerConfiguration(),
            verifier: VerifierConfiguration(
                roots: trusts ? [signing.appStore.root.certificate] : AppleRoots.appStore
            ),
            apps: ["com.example.app": 1_234_567_890],
            policy: Policy()
        )
        configuration.appStore = access
        self.configuration = configuration
        self.database = database
        key = try APIKey.make()
        server = try EntitlementServer(configuration) { fake.now }
        door.handler.withLock { [handler = server.handler] in $0 = handler }
    }

    let configuration: ServiceConfiguration

    /// Takes the service off the net, or back on.
    func setUp(_ isUp: Bool) {
        door.isOpen.withLock { $0 = isUp }
    }

    func reconcile(_ mode: ReconcileMode = .due) async throws -> ReconcileReport? {
        try await server.reconciler?.run(mode)
    }

    /// The result of a call; throws `CallFailure` for an error answer.
    @discardableResult
    func call(_ method: String, _ params: JSONValue) async throws -> JSONValue {
        let body: JSONValue = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": params]
        let request = HTTPRequest(
            method: .post,
            target: "/rpc",
            headers: [HTTPField("Authorization", "Bearer \(key.text)")],
            body: body.serialized()
        )
        let response = await server.handler.reply(to: request).response
        guard case .bytes(let bytes) = response.body else { return .null }
        let answer = try JSONParser.parse(bytes)
        if let result = answer["result"] { return result }
        throw CallFailure(answer["error"] ?? .null)
    }

    /// The reason of a call's error; nil when it has a result.
    func reason(_ method: String, _ params: JSONValue) async throws -> String? {
        do {
            try await call(method, params)
            return nil
        } catch let error as CallFailure {
            return error.reason
        }
    }

    /// One number from the database, as its owner.
    func count(_ sql: String) async throws -> Int64 {
        let owner = PostgresThread(database.ownerConfiguration)
        let count = try await owner.run { try $0.query(sql).int64(0, 0) }
        await owner.close()
        return count
    }

    /// Runs SQL as the database's owner.
    func execute(_ sql: String) async throws {
        let owner = PostgresThread(database.ownerConfiguration)
        try await owner.run { try $0.execute(sql) }
        await owner.close()
    }

    /// Lines whose answer is another one than the fake store's truth: `id: what is answered, what is true`.
    func differences(in environment: StoreEnvironment = .production) async throws -> [String] {
        var differences: [String] = []
        for line in fake.lines(in: environment) {
            // The log knows accounts by other names, so an owner is found from the account's side.
            let snapshot =
                if let account = line.account {
                    try await server.store.snapshot(ofAccount: account, in: environment)
                } else {
                    try await server.store.snapshot(ofLine: line.id, in: environment)
                }
            let known = snapshot.account.lines.filter { $0.id.originalTransactionID == line.id }
            if known.isEmpty { differences.append("\(line.id): not a line of \(String(describing: line.account))") }
            let entitlement = Account(lines: known).answer(
                at: fake.now,
                catalog: snapshot.catalog,
                policy: server.store.policy
            )[entitlement: "pro"]?.decisive
            let isActive = entitlement?.state.isActive ?? false
            let isTrue = line.status == 1 || line.status == 4
            if isActive != isTrue || (line.status == 1 && entitlement?.expiresAt != line.expiresAt) {
                differences.append("\(line.id): \(entitlement.map { "\($0)" } ?? "nothing"), true: \(line)")
            }
        }
        return differences
    }

    /// Whether an account owns a line.
    func owns(_ account: AccountID, _ line: String) async throws -> Bool {
        try await server.store.snapshot(ofAccount: account, in: .production).account.lines.contains {
            $0.id.originalTransactionID == line
        }
    }

    /// Statements that had more than one effect, and transactions that were announced more than once.
    func duplicates() async throws -> Int64 {
        try await count(
            """
            SELECT (SELECT count(*) - count(DISTINCT statement_id) FROM entitled.events WHERE type NOT LIKE 'Account%')
                + (SELECT count(*) FROM (
                    SELECT FROM entitled.events
                    WHERE type IN ('Purchased', 'Renewed', 'Resubscribed', 'PlanChanged', 'OfferRedeemed')
                    GROUP BY environment, transaction_id HAVING count(*) > 1) AS twice)
            """
        )
    }

    func close() async throws {
        await server.stop()
        await listener.stop()
        try await database.drop()
    }
}
