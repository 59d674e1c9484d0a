import Foundation
import JSON
import Postgres
import PostgresTesting
import Simulator

/// `entitled serve` with a configuration file, over a database that the test provides.
final class ServeService: Sendable {
    let program: RunningProgram
    let client: ServiceClient
    let chain: ThrowawayChain
    /// A connection string of the database's owner.
    let database: String

    private init(program: RunningProgram, client: ServiceClient, chain: ThrowawayChain, database: String) {
        self.program = program
        self.client = client
        self.chain = chain
        self.database = database
    }

    /// Sets everything up with the program's own commands, runs work, and stops the service.
    ///
    /// - Parameters:
    ///   - owner: a connection string of the database's owner.
    ///   - service: the same as the role that the service runs as.
    ///   - policy: the policies of the configuration.
    ///   - settings: what else stands in it.
    ///   - environment: variables of the service.
    static func with<Value>(
        owner: String,
        service: String,
        policy: JSONObject = [:],
        settings: JSONObject = [:],
        environment: [String: String] = [:],
        _ body: (ServeService) async throws -> Value
    ) async throws -> Value {
        try await TemporaryFolder.use { folder in
            let setup = try await ServeSetup.make(
                in: folder,
                owner: owner,
                service: service,
                policy: policy,
                settings: settings
            )
            let program = try RunningProgram(["serve", "--config", setup.configuration], environment: environment)
            let line = try await program.firstLine()
            let url = line.split(separator: " ").last.map(String.init) ?? ""
            let client = try ServiceClient(url: url, key: setup.key)
            let serve = ServeService(program: program, client: client, chain: setup.chain, database: owner)
            do {
                let value = try await body(serve)
                program.signal(SIGTERM)
                _ = await program.end()
                return value
            } catch {
                program.signal(SIGKILL)
                _ = await program.end()
                throw error
            }
        }
    }

    /// The same over a fresh database of the tests' server.
    static func with<Value>(
        policy: JSONObject = [:],
        settings: JSONObject = [:],
        environment: [String: String] = [:],
        _ body: (ServeService) async throws -> Value
    ) async throws -> Value {
        let test = try await TestDatabase.create()
        let value = try await with(
            owner: test.ownerConnectionString,
            service: try test.connectionString(user: "entitled_service"),
            policy: policy,
            settings: settings,
            environment: environment,
            body
        )
        try await test.drop()
        return value
    }

    /// The number of events in the log.
    func eventCount() async throws -> Int64 {
        try await withDatabase(database) { try $0.query("SELECT position FROM entitled.log_head").int64(0, 0) }
    }
}
