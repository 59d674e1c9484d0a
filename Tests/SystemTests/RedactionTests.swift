import Foundation
import JSON
import Postgres
import PostgresTesting
import Simulator
import Testing

extension SystemTests {
    /// What is secret stays out of everything the program prints, whether it runs well or not.
    @Suite struct RedactionTests {
        private static let secret = "hunter2-7Qv"

        private static func check(_ result: Program.Result, status: Int32, _ comment: String) {
            #expect(result.status == status, "\(comment): \(result.errors)")
            #expect(!result.output.contains("hunter2"), "\(comment): \(result.output)")
            #expect(!result.errors.contains("hunter2"), "\(comment): \(result.errors)")
        }

        @Test func checkConfigShowsTheDatabaseWithoutItsPassword() async throws {
            try await TemporaryFolder.use { folder in
                let file = folder.appending(path: "serve.json")
                let key = folder.appending(path: "key.p8")
                try Data("-----BEGIN PRIVATE KEY-----\n\(Self.secret)\n-----END PRIVATE KEY-----\n".utf8).write(to: key)
                func checked(_ extra: JSONObject) async throws -> Program.Result {
                    var configuration: JSONObject = [
                        "database": .string("postgresql://entitled_service:\(Self.secret)@db.example.com/entitled"),
                        "apps": [["bundleId": "com.example.app", "appAppleId": 1]],
                    ]
                    for member in extra.members { configuration.set(member.key, member.value) }
                    try Data(JSONValue.object(configuration).serialized()).write(to: file)
                    return try await Program.run(
                        "serve",
                        "--check-config",
                        "--config",
                        file.path(percentEncoded: false)
                    )
                }
                let good = try await checked([:])
                Self.check(good, status: 0, "good")
                #expect(good.output.contains("host=db.example.com password=… user=entitled_service"), "\(good.output)")
                let path = JSONValue.string(key.path(percentEncoded: false))
                for extra: JSONObject in [
                    ["port": 1], ["listen": ["tls": ["certificate": path, "key": path]]],
                    ["appStore": ["issuerId": "a", "keyId": "b", "keyFile": path]], ["trustRoots": [path]],
                ] {
                    Self.check(try await checked(extra), status: 78, "\(extra)")
                }
            }
        }

        @Test func aDatabaseThatRefusesIsToldWithoutThePassword() async throws {
            let test = try await TestDatabase.create()
            let owner = test.ownerConnectionString
            let apps: JSONValue = ["apps": [["bundleId": "com.example.app", "appAppleId": 1]]]
            try await TemporaryFolder.use { folder in
                let file = folder.appending(path: "serve.json")
                try Data(apps.serialized()).write(to: file)
                let serve = ["serve", "--config", file.path(percentEncoded: false)]
                // Nobody listens, nobody of that name is known, and the schema is missing.
                for (database, status) in [
                    ("host=127.0.0.1 port=1 user=x", Int32(69)), ("\(owner) user=nobody_here", 78), (owner, 78),
                ] {
                    let text = "\(database) password=\(Self.secret)"
                    let result = try await Program.run(serve, environment: ["ENTITLED_DATABASE": text])
                    Self.check(result, status: status, database)
                }
            }
            for (text, status) in [("postgresql://u:\(Self.secret)@x@db/e", Int32(64)), ("\(Self.secret) x", 64)] {
                Self.check(try await Program.run("migrate", "--database", text), status: status, "migrate")
                Self.check(
                    try await Program.run("keys", "list", environment: ["ENTITLED_DATABASE": text]),
                    status: 78,
                    "keys list"
                )
            }
            try await test.drop()
        }

        @Test func aRunningServicePrintsNoKeysAndNoStatements() async throws {
            let test = try await TestDatabase.create()
            let service = "\(try test.connectionString(user: "entitled_service")) password=\(Self.secret)"
            try await ServeService.with(owner: test.ownerConnectionString, service: service) { serve in
                let client = serve.client
                let statement = try serve.chain.signer.sign(Array("{\"hunter2\":1}".utf8))
                let body = JSONValue.object(["signedPayload": .string(statement)]).serialized()
                _ = try await client.notify(body)
                _ = try await client.call("entitlements.get", ["account": "hunter2"])
                _ = try await client.call("transactions.submit", ["signedTransaction": .string(statement)])
                _ = try await client.call("entitlements.get", [:], key: "hunter2")
                _ = try await client.send("GET", "/hunter2?key=hunter2", headers: ["Authorization": "Bearer hunter2"])
                let metrics = String(decoding: try await client.send("GET", "/metrics").body, as: UTF8.self)
                serve.program.signal(SIGHUP)
                #expect(await eventually { serve.program.errors.contains("SIGHUP") })
                for text in [serve.program.output, serve.program.errors, metrics] {
                    #expect(
                        !text.contains("hunter2") && !text.contains(client.key) && !text.contains(statement),
                        "\(text)"
                    )
                }
            }
            try await test.drop()
        }
    }
}
