import Foundation
import JSON
import Postgres
import PostgresTesting
import Testing

extension SystemTests {
    /// The command line as a script sees it: exit status, standard output, standard error.
    @Suite struct CommandLineTests {
        /// The exit statuses of sysexits that are used.
        private enum Status {
            static let checkFailed: Int32 = 1
            static let usage: Int32 = 64
            static let dataError: Int32 = 65
            static let noInput: Int32 = 66
            static let unavailable: Int32 = 69
            static let configuration: Int32 = 78
        }

        /// The words of every command, as the overview lists them.
        private static func commands() async throws -> [[String]] {
            let overview = try await Program.run("--help")
            #expect(overview.status == 0)
            return overview.output.split(separator: "\n").filter { $0.hasPrefix("  ") }.map { line in
                let words = line.dropFirst(2).prefix { !$0.isNewline }
                let end = words.range(of: "  ")?.lowerBound ?? words.endIndex
                return words[..<end].split(separator: " ").map(String.init)
            }
        }

        @Test func everyCommandExplainsItself() async throws {
            let commands = try await Self.commands()
            for words in [["serve"], ["dev"], ["migrate"], ["catalog", "check"], ["keys", "create"]] {
                #expect(commands.contains(words), "\(words)")
            }
            for words in commands {
                for option in ["--help", "-h"] {
                    let help = try await Program.run(words + [option])
                    #expect(help.status == 0, "\(words)")
                    #expect(help.errors == "", "\(words)")
                    #expect(help.output.hasPrefix("Usage: entitled \(words.joined(separator: " "))"), "\(words)")
                    #expect(help.output.contains("--help"), "\(words)")
                }
            }
            for arguments in [[], ["help"], ["-h"]] {
                #expect(try await Program.run(arguments).output == Program.run("--help").output)
            }
            let version = try await Program.run("--version")
            #expect(version.status == 0)
            #expect(version.output.hasPrefix("entitled "))
        }

        @Test func wrongUseIsRefusedWithAHint() async throws {
            for words in try await Self.commands() {
                let unknown = try await Program.run(words + ["--no-such-option"])
                #expect(unknown.status == Status.usage, "\(words)")
                #expect(unknown.output == "", "\(words)")
                #expect(unknown.errors.contains("--no-such-option"), "\(words): \(unknown.errors)")
            }
            let cases: [(arguments: [String], hint: String)] = [
                (["no-such-command"], "no-such-command"), (["keys", "no-such-command"], "no-such-command"),
                (["migrate", "extra"], "extra"), (["migrate"], "ENTITLED_DATABASE"),
                (["migrate", "--database"], "--database"), (["serve", "--check-config=yes"], "--check-config"),
                (["dev", "--port", "70000"], "--port"), (["dev", "--port", "x"], "--port"),
                (["catalog", "check"], "catalog file"), (["scenario", "run"], "scenario"),
                (["keys", "create", "--database", "host=/nowhere"], "--name"),
                (["keys", "create", "--database", "host=/nowhere", "--name", "a", "--scopes", "all"], "--scopes"),
                (["keys", "create", "--database", "host=/nowhere", "--name", "a", "--expires", "soon"], "--expires"),
                (["keys", "revoke", "--database", "host=/nowhere"], "key"),
            ]
            for item in cases {
                let result = try await Program.run(item.arguments)
                #expect(result.status == Status.usage, "\(item.arguments): \(result.errors)")
                #expect(result.output == "", "\(item.arguments)")
                #expect(result.errors.hasPrefix("entitled: "), "\(item.arguments)")
                #expect(result.errors.contains(item.hint), "\(item.arguments): \(result.errors)")
            }
        }

        @Test func aDatabaseThatCannotBeReachedIsUnavailable() async throws {
            for words in [["migrate"], ["catalog", "show"], ["keys", "list"]] {
                let result = try await Program.run(words + ["--database", "host=/nowhere"])
                #expect(result.status == Status.unavailable, "\(words): \(result.errors)")
                #expect(result.errors.contains("/nowhere"), "\(words): \(result.errors)")
            }
        }

        @Test func catalogCheckReportsEveryProblemWithItsLine() async throws {
            try await TemporaryFolder.use { folder in
                let (good, bad, broken) = (
                    folder.appending(path: "good.json"), folder.appending(path: "bad.json"),
                    folder.appending(path: "broken.json")
                )
                try Data(ServeSetup.catalog.utf8).write(to: good)
                try Data(
                    """
                    { "entitlements": [ { "id": "pro" } ],
                      "products": [
                        { "productId": "a", "type": "autoRenewable", "grants": ["pro"] },
                        { "productId": "b", "type": "gift" },
                        { "productId": "c", "type": "nonConsumable", "grants": ["max"] } ] }
                    """.utf8
                ).write(to: bad)
                try Data("{\n\n  oops".utf8).write(to: broken)
                func check(_ files: URL...) async throws -> Program.Result {
                    try await Program.run(["catalog", "check"] + files.map { $0.path(percentEncoded: false) })
                }
                let fine = try await check(good)
                #expect(fine.status == 0, "\(fine.output)")
                let faulty = try await check(good, bad)
                #expect(faulty.status == Status.checkFailed)
                for (line, word) in [(3, "subscriptionGroup"), (4, "gift"), (5, "max")] {
                    let isReported = faulty.output.split(separator: "\n").contains {
                        $0.contains("line \(line)") && $0.contains(word)
                    }
                    #expect(isReported, "line \(line): \(faulty.output)")
                }
                let unreadable = try await check(broken)
                #expect(unreadable.status == Status.checkFailed)
                #expect(unreadable.output.contains("line 3"), "\(unreadable.output)")
                #expect(try await check(folder.appending(path: "none.json")).status == Status.noInput)
            }
        }

        @Test func aDatabaseIsSetUpStepByStep() async throws {
            let test = try await TestDatabase.create()
            let environment = ["ENTITLED_DATABASE": test.ownerConnectionString]
            func run(_ arguments: String...) async throws -> Program.Result {
                try await Program.run(arguments, environment: environment)
            }
            // Before the migration everything else says what is missing.
            for words in [["catalog", "show"], ["keys", "list"]] {
                let result = try await Program.run(words, environment: environment)
                #expect(result.status == Status.configuration, "\(words): \(result.errors)")
                #expect(result.errors.contains("entitled migrate"), "\(words): \(result.errors)")
            }
            let first = try await run("migrate")
            #expect(first.status == 0, "\(first.errors)")
            let second = try await run("migrate")
            #expect(second.status == 0, "\(second.errors)")
            #expect(second.output == first.output)
            #expect(try await run("catalog", "show").status == Status.checkFailed)

            let created = try await run("keys", "create", "--name", "my backend", "--scopes", "read,submit")
            #expect(created.status == 0)
            let key = created.output.prefix { !$0.isNewline }
            #expect(created.output == key + "\n", "nothing but the key: a script takes it from here")
            let parts = key.split(separator: "_", maxSplits: 2)
            #expect(parts.count == 3 && parts[0] == "ent")
            let id = String(parts[1])
            let list = try await run("keys", "list")
            #expect(list.output.contains(id) && list.output.contains("my backend"), "\(list.output)")
            #expect(list.output.contains("in force"), "\(list.output)")
            #expect(!list.output.contains(parts[2]), "the list shows a secret")
            #expect(try await run("keys", "revoke", id).status == 0)
            #expect(try await run("keys", "list").output.contains("revoked"))
            for unknown in [id, "0123456789ab"] {
                let again = try await run("keys", "revoke", unknown)
                #expect(again.status == Status.dataError, "\(again.errors)")
                #expect(again.errors.contains(unknown))
            }
            let stored = try await withDatabase(test.ownerConnectionString) { session in
                try session.query("SELECT row_to_json(k)::text FROM entitled.api_keys k").text(0, 0)
            }
            #expect(!stored.contains(parts[2]), "the database holds a secret")
            try await test.drop()
        }

        @Test func checkConfigExplainsEveryProblemAtOnce() async throws {
            try await TemporaryFolder.use { folder in
                let file = folder.appending(path: "configuration.json")
                func check(_ text: String, _ environment: [String: String] = [:]) async throws -> Program.Result {
                    try Data(text.utf8).write(to: file)
                    return try await Program.run(
                        ["serve", "--check-config", "--config", file.path(percentEncoded: false)],
                        environment: environment
                    )
                }
                let bad = try await check(
                    """
                    { "listen": { "address": 7, "port": 70000, "host": "x" }, "apps": [ { "appAppleId": 1 },
                      { "bundleId": "com.example.app" } ], "policy": { "ownership": "nobody", "magic": true },
                      "trustRoots": [ "/no/such/file.pem" ], "colour": "red" }
                    """
                )
                #expect(bad.status == Status.configuration)
                #expect(bad.output == "")
                for place in [
                    "database", "listen.address", "listen.port", "listen.host", "apps[0].bundleId",
                    "com.example.app has no appAppleId", "policy.ownership", "policy.magic", "/no/such/file.pem",
                    "colour",
                ] {
                    #expect(bad.errors.contains(place), "\(place): \(bad.errors)")
                }
                let fine = #"{ "database": "host=/nowhere", "apps": [ { "bundleId": "a", "appAppleId": 1 } ] }"#
                let good = try await check(fine)
                #expect(good.status == 0, "\(good.errors)")
                #expect(try await check(fine, ["ENTITLED_PORT": "none"]).status == Status.configuration)
                #expect(try await check("{").status == Status.configuration)
                let missing = try await Program.run("serve", "--check-config", "--config", "/no/such/file.json")
                #expect(missing.status == Status.configuration)
                #expect(missing.errors.contains("/no/such/file.json"))
                #expect(
                    !missing.errors.contains("apps is empty"),
                    "what the file holds is not known: \(missing.errors)"
                )
                for (text, place) in [
                    (
                        #""apps": [ { "bundleId": "a", "appAppleId": 1 }, { "bundleId": "a", "appAppleId": 1 } ]"#,
                        "twice"
                    ),
                    (#""apps": [ { "bundleId": "a", "appAppleId": -1 } ]"#, "apps[0].appAppleId"),
                    (#""apps": [ { "bundleId": "a", "appAppleId": 1, "name": "x" } ]"#, "apps[0].name"),
                    (#""apps": [ { "bundleId": "a", "appAppleId": 1 } ], "apps": []"#, "apps is there 2 times"),
                    (
                        #""apps": [ { "bundleId": "a", "appAppleId": 1 } ], "checkpoints": { "directory": "/x" }"#,
                        "sign"
                    ),
                    (#""apps": [ { "bundleId": "a", "appAppleId": 1 } ], "log": { "level": "loud" }"#, "log.level"),
                    (
                        #""apps": [ { "bundleId": "a", "appAppleId": 1 } ], "shutdown": { "notice": 5 }"#,
                        "shutdown.notice"
                    ),
                ] {
                    let result = try await check(#"{ "database": "host=/nowhere", "# + text + "}")
                    #expect(result.status == Status.configuration && result.errors.contains(place), "\(result.errors)")
                }
                // The database is asked only where that is wanted.
                let unreachable = try await Program.run(
                    ["serve", "--check-config", "--reach", "--config", file.path(percentEncoded: false)],
                    environment: ["ENTITLED_DATABASE": "host=/nowhere"]
                )
                #expect(unreachable.status == Status.configuration, "the last of the files is wrong itself")
                _ = try await check(fine)
                let silent = try await Program.run([
                    "serve", "--check-config", "--reach", "--config", file.path(percentEncoded: false),
                ])
                #expect(silent.status == 69, "\(silent.errors)")
                // Without the switch the same problems keep it from starting.
                let start = try await Program.run("serve", "--config", "/no/such/file.json")
                #expect(start.status == Status.configuration)
            }
        }

        @Test func serveSaysWhyItCannotStart() async throws {
            let test = try await TestDatabase.create()
            let apps = #""apps": [ { "bundleId": "com.example.app", "appAppleId": 1 } ]"#
            try await TemporaryFolder.use { folder in
                let file = folder.appending(path: "configuration.json")
                func serve(_ database: String, port: Int = 0) async throws -> Program.Result {
                    let database = JSONValue.string(database).description
                    let text = "{ \"database\": \(database), \"listen\": { \"port\": \(port) }, \(apps) }"
                    try Data(text.utf8).write(to: file)
                    return try await Program.run("serve", "--config", file.path(percentEncoded: false))
                }
                let unreachable = try await serve("host=/nowhere")
                #expect(unreachable.status == Status.unavailable, "\(unreachable.errors)")
                let notMigrated = try await serve(test.ownerConnectionString)
                #expect(notMigrated.status == Status.configuration, "\(notMigrated.errors)")
                #expect(notMigrated.errors.contains("entitled migrate"))
            }
            try await test.drop()
            try await ServeService.with { service in
                try await TemporaryFolder.use { folder in
                    let file = folder.appending(path: "configuration.json")
                    let text = """
                        { "database": \(JSONValue.string(service.database).description),
                          "listen": { "port": \(service.client.port) }, \(apps) }
                        """
                    try Data(text.utf8).write(to: file)
                    let taken = try await Program.run("serve", "--config", file.path(percentEncoded: false))
                    #expect(taken.status == Status.unavailable, "\(taken.errors)")
                    #expect(taken.errors.contains("\(service.client.port)"), "\(taken.errors)")
                }
            }
        }
    }
}
