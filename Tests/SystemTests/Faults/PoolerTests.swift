import Foundation
import Glibc
import JSON
import Postgres
import Simulator
import StoreTesting
import TestKit
import Testing

extension SystemTests {
    /// A pooler between the service and its database, PgBouncer, is refused with words that say what to do.
    @Suite struct PoolerTests {
        private static let program = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].first {
            FileManager.default.isExecutableFile(atPath: $0)
        }

        @Test(arguments: [
            ("transaction", "", "refuses the settings"),
            ("transaction", "ignore_startup_parameters = options, extra_float_digits", "drops the settings"),
        ])
        func aPoolerIsRefusedAtTheStart(mode: String, more: String, words: String) async throws {
            try await Self.with(mode: mode, more: more) { _, configuration in
                let result = try await Program.run("serve", "--config", configuration)
                #expect(result.status == 78, "\(result.output)\(result.errors)")
                #expect(result.errors.contains(words), "\(result.errors)")
                #expect(result.errors.contains("Connect to PostgreSQL itself"), "\(result.errors)")
            }
        }

        @Test func aPoolerInTransactionModeThatKeepsSettingsIsFoundOut() async throws {
            // The server itself has the settings here, so that nothing but the strangers in one's session is wrong.
            let settings = [
                "statement_timeout": "30s", "lock_timeout": "20s", "idle_in_transaction_session_timeout": "30s",
            ]
            try await Self.with(
                mode: "transaction",
                more: "ignore_startup_parameters = options, extra_float_digits",
                settings: settings
            ) { _, configuration in
                let result = try await Program.run("serve", "--config", configuration)
                #expect(result.status == 78, "\(result.output)\(result.errors)")
                #expect(result.errors.contains("pool_mode = transaction"), "\(result.errors)")
            }
        }

        @Test func aPoolerInSessionModeThatKeepsSettingsWillDo() async throws {
            let settings = [
                "statement_timeout": "30s", "lock_timeout": "20s", "idle_in_transaction_session_timeout": "30s",
            ]
            try await Self.with(
                mode: "session",
                more: "ignore_startup_parameters = options, extra_float_digits",
                settings: settings
            ) { setup, configuration in
                let program = try RunningProgram(["serve", "--config", configuration])
                let url = try await program.firstLine().split(separator: " ").last.map(String.init) ?? ""
                let client = try ServiceClient(url: url, key: setup.key)
                #expect(try await eventually { try await client.send("GET", "/readyz").status == 200 })
                #expect(try await client.call("catalog.get", [:])["result"]?["position"] == "1:1")
                program.signal(SIGTERM)
                #expect(await program.end() == 0)
            }
        }

        private static func with(
            mode: String,
            more: String,
            settings: [String: String] = [:],
            _ body: (ServeSetup, String) async throws -> Void
        ) async throws {
            guard let program else {
                print("PoolerTests: skipped, pgbouncer is not installed (deploy/install-packages.sh --faults)")
                return
            }
            try await TemporaryFolder.use { folder in
                let server = try await PrivateServer.start(settings: settings)
                // Its own socket lies beside the server's, where the account of the server may write.
                let socket = URL(filePath: server.socketPath).deletingLastPathComponent()
                let port = 6_432
                let setup = try await ServeSetup.make(
                    in: folder,
                    owner: server.connectionString(user: "entitled", database: "entitled"),
                    service: "host=\(socket.path(percentEncoded: false)) port=\(port) user=entitled_service "
                        + "dbname=entitled"
                )
                let path = socket.path(percentEncoded: false)
                let file = folder.appending(path: "pgbouncer.ini")
                let text = """
                    [databases]
                    * = host=\(path) port=5432
                    [pgbouncer]
                    listen_addr =
                    listen_port = \(port)
                    unix_socket_dir = \(path)
                    auth_type = any
                    pool_mode = \(mode)
                    logfile = \(path)/pgbouncer.log
                    \(more)

                    """
                // With auth_type any, who connects is given in the line of the database.
                try Data(text.replacing("port=5432", with: "port=5432 user=entitled_service").utf8).write(to: file)
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o755],
                    ofItemAtPath: folder.path(percentEncoded: false)
                )
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o644],
                    ofItemAtPath: file.path(percentEncoded: false)
                )
                // PgBouncer refuses to run as root.
                let user = geteuid() == 0 ? ["-u", "postgres"] : []
                let bouncer = try ChildProcess.start([program] + user + [file.path(percentEncoded: false)])
                var failure: (any Error)?
                do {
                    let isUp = await eventually {
                        FileManager.default.fileExists(atPath: "\(path)/.s.PGSQL.\(port)")
                    }
                    #expect(isUp, "pgbouncer did not start")
                    try await body(setup, setup.configuration)
                } catch {
                    failure = error
                }
                kill(bouncer.processID, SIGTERM)
                _ = await eventually { bouncer.poll() != nil }
                try await server.remove()
                if let failure { throw failure }
            }
        }
    }
}
