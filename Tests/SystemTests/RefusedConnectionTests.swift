import Foundation
import JSON
import Postgres
import StoreTesting
import Testing

extension SystemTests {
    /// What every command says when the database does not let it in: which part of the connection string is wrong, and what
    /// to do, with an exit status that a script can act on.
    @Suite struct RefusedConnectionTests {
        private static let secret = "hunter2-7Qv"
        private static let unavailable: Int32 = 69
        private static let configuration: Int32 = 78

        /// Commands that work on a database, each in another way.
        private static let commands = [
            ["migrate"], ["keys", "list"], ["keys", "create", "--name", "x"], ["keys", "revoke", "x"],
            ["audit", "verify"], ["audit", "replay"], ["rebuild"], ["catalog", "show"],
        ]

        /// Lends a migrated server that asks two roles for a password and knows nothing of the others.
        private static func withServer(_ body: (PrivateServer, URL) async throws -> Void) async throws {
            let rules = FileManager.default.temporaryDirectory
                .appending(path: "entitled-hba-\(getpid())-\(UInt32.random(in: 0...UInt32.max))")
            let text = """
                local all entitled,nobody_here trust
                local all entitled_service scram-sha-256

                """
            try Data(text.utf8).write(to: rules)
            defer { try? FileManager.default.removeItem(at: rules) }
            // The server runs as another user.
            let path = rules.path(percentEncoded: false)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            let server = try await PrivateServer.start(settings: ["hba_file": path])
            do {
                let owner = server.connectionString(user: "entitled", database: "entitled")
                let migrated = try await Program.run("migrate", "--database", owner)
                #expect(migrated.status == 0, "\(migrated.errors)")
                try await server.run { try $0.execute("ALTER ROLE entitled_service PASSWORD '\(secret)'") }
                try await TemporaryFolder.use { folder in
                    let file = folder.appending(path: "serve.json")
                    let apps = #"{ "apps": [ { "bundleId": "com.example.app", "appAppleId": 1 } ] }"#
                    try Data(apps.utf8).write(to: file)
                    try await body(server, file)
                }
                try await server.remove()
            } catch {
                try? await server.remove()
                throw error
            }
        }

        private static func check(_ arguments: [String], _ database: String, _ status: Int32, _ words: [String])
            async throws
        {
            let result = try await Program.run(
                arguments,
                environment: ["ENTITLED_DATABASE": database, "PGPASSFILE": "/no/such/file"]
            )
            #expect(result.status == status, "\(arguments): \(result.errors)")
            for word in words { #expect(result.errors.contains(word), "\(arguments), \(word): \(result.errors)") }
            #expect(!(result.output + result.errors).contains("hunter2"), "\(arguments): \(result.errors)")
            #expect(result.errors.split(separator: "\n").count == 1, "\(arguments): \(result.errors)")
        }

        @Test func everyCommandSaysWhatIsWrongWithTheConnectionString() async throws {
            try await Self.withServer { server, file in
                let configured = ["--config", file.path(percentEncoded: false)]
                let commands =
                    Self.commands + [["serve"] + configured, ["serve", "--check-config", "--reach"] + configured]
                func string(user: String = "entitled_service", database: String = "entitled") -> String {
                    server.connectionString(user: user, database: database)
                }
                let cases: [(database: String, status: Int32, words: [String])] = [
                    (string(user: "nobody_here"), Self.configuration, ["\"nobody_here\"", "role", "entitled_service"]),
                    (string(user: "stranger"), Self.configuration, ["\"stranger\"", "pg_hba.conf"]),
                    (
                        string() + "&password=hunter2-wrong", Self.configuration,
                        ["user \"entitled_service\"", "missing or wrong", "PGPASSWORD"]
                    ),
                    (string(), Self.configuration, ["no password supplied", "missing or wrong"]),
                    (
                        string(database: "no_such_database") + "&password=\(Self.secret)", Self.configuration,
                        ["\"no_such_database\"", "entitled migrate"]
                    ),
                    ("host=no..such..host user=x password=\(Self.secret)", Self.unavailable, ["\"no..such..host\""]),
                    (
                        "host=127.0.0.1 port=1 user=x password=\(Self.secret)", Self.unavailable,
                        ["127.0.0.1", "port 1", "Connection refused"]
                    ),
                ]
                for item in cases {
                    for command in commands {
                        try await Self.check(command, item.database, item.status, item.words)
                    }
                }
            }
        }

        @Test func theServicesRoleIsToldWhatNeedsTheOwner() async throws {
            try await Self.withServer { server, _ in
                let service =
                    server.connectionString(user: "entitled_service", database: "entitled") + "&password=\(Self.secret)"
                for command in [
                    ["migrate"], ["keys", "create", "--name", "x"], ["keys", "revoke", "x"], ["rebuild"],
                ] {
                    try await Self.check(
                        command,
                        service,
                        Self.configuration,
                        ["permission denied", "the owner of the database"]
                    )
                }
                let list = try await Program.run("keys", "list", "--database", service)
                #expect(list.status == 0 && list.output == "", "\(list.errors)")
            }
        }
    }
}
