import Foundation
import JSON
import Postgres
import Simulator
import StoreTesting
import Testing

extension SystemTests {
    /// What the program tells those who watch it: readiness, log, and how it ends.
    @Suite struct ReadinessTests {
        private static let quick: JSONObject = [
            "readiness": ["databaseTime": "PT1S", "feedLag": "PT1S", "writerTime": "PT1S"]
        ]

        /// The checks of an answer that were not passed.
        private static func failures(_ client: ServiceClient) async throws -> [String: String] {
            let answer = try await client.send("GET", "/readyz")
            let lines = String(decoding: answer.body, as: UTF8.self).split(separator: "\n")
            let checks = lines.dropFirst().map { $0.split(separator: ": ", maxSplits: 1).map(String.init) }
            #expect(checks.map { $0[0] } == ["serving", "database", "schema", "feed", "writer"])
            let failures = checks.filter { $0[1] != "ok" }
            #expect((answer.status == 200) == failures.isEmpty, "\(lines)")
            #expect(
                lines[0]
                    == (failures.isEmpty ? "ready" : "not ready: \(failures.map { $0[0] }.joined(separator: ", "))")
            )
            return Dictionary(uniqueKeysWithValues: failures.map { ($0[0], $0[1]) })
        }

        @Test func readyzTellsWhatIsWrongForAsLongAsItIs() async throws {
            let server = try await PrivateServer.start()
            try await ServeService.with(
                owner: server.connectionString(user: "entitled", database: "entitled"),
                service: server.connectionString(user: "entitled_service", database: "entitled"),
                settings: Self.quick
            ) { service in
                let client = service.client
                #expect(try await eventually { try await Self.failures(client).isEmpty })

                // A database that is stopped, and then does not answer at all.
                try await server.stop(.fast)
                #expect(try await eventually { try await Self.failures(client).keys.contains("database") })
                #expect(try await eventually { try await Self.failures(client).keys.contains("feed") })
                try await server.start()
                #expect(try await eventually { try await Self.failures(client).isEmpty })
                server.pause()
                #expect(
                    try await eventually { try await Self.failures(client)["database"]?.contains("no answer") == true }
                )
                server.resume()
                #expect(try await eventually { try await Self.failures(client).isEmpty })

                // A schema of another version.
                try await withDatabase(service.database) { session in
                    try session.execute("UPDATE entitled.schema_version SET version = 99")
                }
                #expect(try await eventually { try await Set(Self.failures(client).keys) == ["schema"] })
                try await withDatabase(service.database) { session in
                    try session.execute("UPDATE entitled.schema_version SET version = 2")
                }
                #expect(try await eventually { try await Self.failures(client).isEmpty })

                // A writer that does not get on: somebody holds the log's lock.
                let request = try await LoadPlan(accounts: 1, seed: 1).requests(
                    0..<1,
                    as: .notification,
                    signedBy: service.chain.signer
                )[0]
                let port = client.port
                let (seen, status) = try await withDatabase(service.database) { session in
                    try session.execute("BEGIN; SELECT FROM entitled.log_head FOR UPDATE")
                    let connection = try RawConnection(port: port)
                    try connection.send("POST", request.kind.path, body: request.body)
                    let (deadline, expected) = (ContinuousClock.now + .seconds(30), "not ready: writer\n")
                    var seen = ""
                    while !seen.hasPrefix(expected), ContinuousClock.now < deadline {
                        let probe = try RawConnection(port: port)
                        try probe.send("GET", "/readyz")
                        seen = String(decoding: try probe.receive().body, as: UTF8.self)
                        usleep(10_000)
                    }
                    try session.execute("ROLLBACK")
                    return (seen, try connection.receive().status)
                }
                #expect(seen.hasPrefix("not ready: writer\n"), "\(seen)")
                #expect(status == 200)
                #expect(try await eventually { try await Self.failures(client).isEmpty })
                let log = service.program.errors
                for words in ["\"message\":\"ready\"", "\"message\":\"not ready\"", "\"database\":"] {
                    #expect(log.contains(words), "\(words) is not in the log")
                }
            }
            try await server.remove()
        }

        @Test func theEndIsAnnouncedBeforeItComes() async throws {
            try await ServeService.with(settings: ["shutdown": ["notice": "PT1S"]]) { service in
                let client = service.client
                #expect(try await eventually { try await Self.failures(client).isEmpty })
                // A long poll is open while the end comes.
                let head = try #require(try await client.call("changes.list", [:])["result"]?["position"])
                async let poll = client.rpc(Self.poll(after: head).serialized())
                #expect(
                    try await eventually {
                        let page = String(decoding: try await client.send("GET", "/metrics").body, as: UTF8.self)
                        // The poll and this question.
                        return page.contains("\nentitled_http_requests_in_flight 2.0\n")
                    }
                )
                service.program.signal(SIGTERM)
                #expect(try await eventually { try await Self.failures(client)["serving"] != nil })
                // Whoever comes all the same is served.
                #expect(try await client.call("catalog.get", [:])["result"] != nil)
                let answer = try await poll
                #expect(answer.status == 200)
                #expect(answer.json["result"]?["changes"] == [], "\(answer.json)")
                #expect(await service.program.end() == 0)
                #expect(service.program.errors.contains("\"message\":\"stopped\""))
            }
        }

        private static func poll(after position: JSONValue) -> JSONValue {
            [
                "jsonrpc": "2.0", "id": 1, "method": "changes.list",
                "params": ["after": position, "waitMs": 30_000],
            ]
        }

        @Test func theSecondSignalEndsItAtOnce() async throws {
            try await ServeService.with(settings: ["shutdown": ["notice": "PT5M"]]) { service in
                service.program.signal(SIGTERM)
                let client = service.client
                let isAnnounced = try await eventually { try await Self.failures(client)["serving"] != nil }
                #expect(isAnnounced)
                service.program.signal(SIGTERM)
                #expect(await service.program.end() == -SIGTERM)
            }
        }
    }
}
