import AppStore
import EntitlementAPI
import EntitlementDomain
import EntitlementService
import EventStore
import HTTPServer
import JSON
import SchemaTesting
import Testing

/// An instance of the real service over a test's database.
final class FeedService: Sendable {
    let server: EntitlementServer
    let key: APIKey
    private let database: FeedDatabase

    private init(_ server: EntitlementServer, _ key: APIKey, _ database: FeedDatabase) {
        self.server = server
        self.key = key
        self.database = database
    }

    /// Makes an instance whose key has these scopes. It is not started.
    static func make(
        _ database: FeedDatabase,
        scopes: Set<Scope> = [.read],
        cache: CacheConfiguration = .patient
    ) async throws -> FeedService {
        let clock = database.clock
        var configuration = ServiceConfiguration(
            store: PostgresEventStore.Configuration(
                connectionString: database.serviceConnectionString,
                readers: 2,
                // A machine that is busy with other tests proves nothing.
                waitForReader: .seconds(60)
            ),
            http: HTTPServerConfiguration(),
            verifier: VerifierConfiguration(roots: AppleRoots.appStore),
            apps: [Sample.bundleID: 1],
            policy: Policy()
        )
        configuration.cache = cache
        let server = try EntitlementServer(configuration) { clock.now }
        let key = try APIKey.make()
        let record = key.record(name: "test", scopes: scopes, createdAt: .distantPast)
        try await database.owner { try $0.addKey(record) }
        try await server.prepare()
        return FeedService(server, key, database)
    }

    var store: PostgresEventStore { server.store }

    /// Gives a further key with these scopes.
    func makeKey(_ scopes: Set<Scope>) async throws -> APIKey {
        let key = try APIKey.make()
        let record = key.record(name: "other", scopes: scopes, createdAt: .distantPast)
        try await database.owner { try $0.addKey(record) }
        try await server.prepare()
        return key
    }

    /// What the handler answers, without a socket.
    func send(
        _ target: String,
        method: HTTPMethod = .get,
        key: String? = nil,
        headers: [HTTPField] = [],
        body: [UInt8] = []
    ) async throws -> HTTPResponse {
        let key = key ?? self.key.text
        let authorization = key.isEmpty ? [] : [HTTPField("Authorization", "Bearer \(key)")]
        let request = HTTPRequest(method: method, target: target, headers: headers + authorization, body: body)
        return await server.handler.reply(to: request).response
    }

    /// The answer to a JSON-RPC call, with `result` or `error`. One that the OpenRPC document does not promise fails the
    /// test.
    func call(_ method: String, _ params: JSONValue) async throws -> JSONValue {
        let request: JSONValue = ["jsonrpc": "2.0", "id": 1, "method": .string(method), "params": params]
        let answer = try await send("/rpc", method: .post, body: request.serialized()).json
        let contract = ServiceContract(try await send("/openrpc.json").json)
        let problems = contract.problems(ofAnswer: answer, of: method)
        if !problems.isEmpty { Issue.record("\(problems.joined(separator: "; "))") }
        return answer
    }

    /// Runs work with an instance, and stops it afterwards.
    static func with<Value>(
        _ database: FeedDatabase,
        scopes: Set<Scope> = [.read],
        cache: CacheConfiguration = .patient,
        _ body: (FeedService) async throws -> Value
    ) async throws -> Value {
        let service = try await make(database, scopes: scopes, cache: cache)
        do {
            let value = try await body(service)
            await service.server.stop()
            return value
        } catch {
            await service.server.stop()
            throw error
        }
    }
}

extension HTTPResponse {
    func field(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }

    var bytes: [UInt8] {
        if case .bytes(let bytes) = body { bytes } else { [] }
    }

    var json: JSONValue {
        get throws { try JSONParser.parse(bytes) }
    }
}

extension CacheConfiguration {
    /// For machines that have much to do beside a test.
    static var patient: CacheConfiguration {
        var configuration = CacheConfiguration()
        configuration.maximumLag = .seconds(60)
        return configuration
    }
}
