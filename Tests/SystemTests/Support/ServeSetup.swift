import Foundation
import JSON
import Simulator
import X509

/// What `entitled serve` needs: a migrated database with a catalog and an API key, a chain to trust, a configuration.
struct ServeSetup: Sendable {
    /// The path of the configuration file.
    let configuration: String
    /// An API key with every scope.
    let key: String
    let chain: ThrowawayChain

    /// A subscription and coins.
    static let catalog = """
        { "entitlements": [ { "id": "pro" } ], "currencies": [ { "id": "coins" } ],
          "products": [ { "productId": "pro.monthly", "type": "autoRenewable", "subscriptionGroup": "plans",
                          "grants": ["pro"] },
                        { "productId": "coins.100", "type": "consumable", "credits": { "coins": 100 } } ] }
        """

    /// Sets everything up with the program's own commands.
    ///
    /// - Parameters:
    ///   - folder: where the files go.
    ///   - owner: a connection string of the database's owner.
    ///   - service: the same as the role that the service runs as.
    ///   - policy: the policies of the configuration.
    ///   - settings: more of the configuration.
    static func make(
        in folder: URL,
        owner: String,
        service: String,
        policy: JSONObject = [:],
        settings: JSONObject = [:]
    ) async throws -> ServeSetup {
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
        ).trimmingCharacters(in: .newlines)

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
        return ServeSetup(configuration: file.path(percentEncoded: false), key: key, chain: chain)
    }

    @discardableResult
    private static func succeed(_ result: Program.Result) throws -> String {
        guard result.status == 0 else { throw CommandFailed(errors: result.errors) }
        return result.output
    }

    struct CommandFailed: Error {
        var errors: String
    }
}
