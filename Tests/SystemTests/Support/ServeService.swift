import Foundation
import JSON
import Postgres
import PostgresTesting
import Simulator
import X509

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

    static let catalog = """
        { "entitlements": [ { "id": "pro" } ],
          "products": [ { "productId": "pro.monthly", "type": "autoRenewable", "subscriptionGroup": "plans",
                          "grants": ["pro"] } ] }
        """

    /// Sets everything up with the program's own commands, runs work, and stops the service.
    ///
    /// - Parameters:
    ///   - owner: a connection string of the database's owner.
    ///   - service: the same as the role that the service runs as.
    ///   - policy: the policies of the configuration.
    ///   - settings: what else stands in it.
    static func with<Value>(
        owner: String,
        service: String,
        policy: JSONObject = [:],
        settings: JSONObject = [:],
        _ body: (ServeService) async throws -> Value
    ) async throws -> Value {
        try await TemporaryFolder.use { folder in
            let database = ["ENTITLED_DATABASE": owner]
            try await succeed(Program.run("migrate", environment: database))
            let catalogFile = folder.appending(path: "catalog.json")
            try Data(catalog.utf8).write(to: catalogFile)
            try await succeed(
                Program.run("catalog", "import", catalogFile.path(percentEncoded: false), environment: database)
            )
            let key = try await succeed(
                Program.run(
                    "keys",
                    "create",
                    "--name",
                    "tests",
                    "--scopes",
                    "read,submit,admin,audit",
                    environment: database
                )
            ).trimmingSuffix { $0.isNewline }

            let chain = try ThrowawayChain.make(validity: ScenarioSigning.validity)
            try chain.write(to: folder)
            let root = ThrowawayChain.rootFile(in: folder).path(percentEncoded: false)
            var configuration: JSONObject = [
                "database": .string(service), "listen": ["port": 0],
                "apps": [["bundleId": "com.example.app", "appAppleId": 1_234_567_890]],
                "trustRoots": [.string(root)], "policy": .object(policy),
            ]
            for member in settings.members { configuration[member.key] = member.value }
            let file = folder.appending(path: "configuration.json")
            try Data(JSONValue.object(configuration).serialized()).write(to: file)
            let program = try RunningProgram(["serve", "--config", file.path(percentEncoded: false)])
            let line = try await program.firstLine()
            let url = line.split(separator: " ").last.map(String.init) ?? ""
            let client = try ServiceClient(url: url, key: String(key))
            let serve = ServeService(program: program, client: client, chain: chain, database: owner)
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
        _ body: (ServeService) async throws -> Value
    ) async throws -> Value {
        let test = try await TestDatabase.create()
        let value = try await with(
            owner: test.ownerConnectionString,
            service: try test.connectionString(user: "entitled_service"),
            policy: policy,
            settings: settings,
            body
        )
        try await test.drop()
        return value
    }

    @discardableResult
    private static func succeed(_ result: Program.Result) throws -> String {
        guard result.status == 0 else { throw CommandFailed(errors: result.errors) }
        return result.output
    }

    struct CommandFailed: Error {
        var errors: String
    }

    /// The number of events in the log.
    func eventCount() async throws -> Int64 {
        try await withDatabase(database) { try $0.query("SELECT position FROM entitled.log_head").int64(0, 0) }
    }
}

extension StringProtocol {
    /// The text without the characters at its end that a test picks.
    fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> SubSequence {
        var end = endIndex
        while end > startIndex, predicate(self[index(before: end)]) { end = index(before: end) }
        return self[..<end]
    }
}
