import EntitlementDomain
import Foundation
import JSON
import Postgres
import Simulator
import Testing

extension SystemTests {
    /// How the program ends, by request and by force.
    @Suite struct ShutdownTests {
        @Test func acceptedRequestsAreAnsweredBeforeTheEnd() async throws {
            try await TemporaryFolder.use { folder in
                let service = try await DevService(in: folder)
                let count = 20
                let requests = try await LoadPlan(accounts: count, seed: 1).requests(
                    0..<count,
                    as: .notification,
                    signedBy: try service.chain().signer
                )
                let port = service.client.port
                let owner = PostgresThread(PostgresConfiguration(connectionString: service.database))
                // The log's lock keeps every one of them waiting until the signal has been given.
                let answers = try await owner.run { session in
                    try session.execute("BEGIN; SELECT FROM entitled.log_head FOR UPDATE")
                    let connections = try requests.map { request in
                        let connection = try RawConnection(port: port)
                        try connection.send("POST", request.kind.path, body: request.body)
                        return connection
                    }
                    try Self.waitUntilRead(connections.count, port: port)
                    service.program.signal(SIGTERM)
                    // From here on nobody new is let in.
                    let deadline = ContinuousClock.now + .seconds(30)
                    while (try? RawConnection(port: port)) != nil, ContinuousClock.now < deadline { usleep(1_000) }
                    try session.execute("ROLLBACK")
                    return try connections.map { try $0.receive().status }
                }
                await owner.close()
                #expect(answers == Array(repeating: 200, count: count))
                #expect(await service.program.end() == 0)
                #expect(service.program.errors == "")
                #expect(service.serverProcesses == [], "PostgreSQL was left running")
                let lock = folder.appending(path: "postgres/postmaster.pid")
                #expect(!FileManager.default.fileExists(atPath: lock.path(percentEncoded: false)))

                // What was answered is there after a restart, under the same key.
                let again = try await DevService(in: folder)
                #expect(again.client.key == service.client.key)
                let page = try await again.client.call("events.list", ["limit": 100])
                #expect(page["result"]?["position"] == .string("1:\(count + 1)"), "\(page)")
                again.program.signal(SIGINT)
                #expect(await again.program.end() == 0)
            }
        }

        @Test func aDatabaseThatDoesNotAnswerDoesNotKeepTheProcess() async throws {
            try await ServeService.with(settings: ["shutdown": ["timeLimit": "PT1S"]]) { service in
                let (database, client) = (service.database, service.client)
                async let holding: Void = withDatabase(database) { session in
                    // Ends by force, below.
                    try? session.execute("BEGIN; LOCK entitled.lines IN ACCESS EXCLUSIVE MODE; SELECT pg_sleep(60)")
                }
                func locks(_ condition: String) async throws -> Int64 {
                    try await withDatabase(database) { session in
                        try session.query(
                            "SELECT count(*) FROM pg_locks WHERE relation = 'entitled.lines'::regclass AND \(condition)"
                        ).int64(0, 0)
                    }
                }
                #expect(try await eventually { try await locks("granted") == 1 })
                async let waiting = try? client.call(
                    "entitlements.get",
                    ["account": "11111111-1111-4111-8111-111111111111"]
                )
                #expect(try await eventually { try await locks("NOT granted") > 0 })
                let start = ContinuousClock.now
                service.program.signal(SIGTERM)
                #expect(await service.program.end() == 0)
                #expect(start.duration(to: .now) < .seconds(15))
                _ = await waiting
                try await withDatabase(database) { session in
                    try session.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
                    )
                }
                try await holding
            }
        }

        /// Waits until the service has read everything that was sent over so many connections: they are all there, and no
        /// byte is left in a socket's queue.
        private static func waitUntilRead(_ count: Int, port: Int) throws {
            let local = "0100007F:" + String(format: "%04X", port)
            let deadline = ContinuousClock.now + .seconds(30)
            while ContinuousClock.now < deadline {
                // Not by String: of a file whose size is said to be 0 it reads one page.
                let file = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp"))
                let table = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
                try file.close()
                let unread = table.split(separator: "\n").compactMap { line -> Bool? in
                    let fields = line.split(separator: " ")
                    // Local address, state 01 (established), and behind the colon what waits to be read.
                    guard fields.count > 4, fields[1] == local, fields[3] == "01" else { return nil }
                    return !fields[4].hasSuffix(":00000000")
                }
                if unread.count >= count && !unread.contains(true) { return }
                usleep(1_000)
            }
        }

        @Test func aWishToEndRightAfterTheFirstLineIsNotLost() async throws {
            try await TemporaryFolder.use { folder in
                for _ in 1...3 {
                    let service = try await DevService(in: folder)
                    service.program.signal(SIGTERM)
                    #expect(await service.program.end() == 0)
                    #expect(service.serverProcesses == [], "PostgreSQL was left running")
                }
            }
        }

        @Test func aKilledServiceLeavesNoDatabaseBehindAndStartsAgain() async throws {
            try await TemporaryFolder.use { folder in
                for round in 1...2 {
                    let service = try await DevService(in: folder)
                    #expect(!service.serverProcesses.isEmpty)
                    let answer = try await service.client.call("catalog.get", [:])
                    #expect(answer["result"]?["position"] == "1:1", "round \(round): \(answer)")
                    service.program.signal(SIGKILL)
                    #expect(await service.program.end() == -SIGKILL)
                    // Not waited for in the first round: the next start has to cope.
                    if round == 2 { #expect(await eventually { service.serverProcesses.isEmpty }) }
                }
            }
        }

        @Test func twoServicesDoNotShareADataDirectory() async throws {
            try await TemporaryFolder.use { folder in
                let service = try await DevService(in: folder)
                let second = try await Program.run(
                    "dev",
                    "--json",
                    "--port",
                    "0",
                    "--data",
                    folder.path(percentEncoded: false)
                )
                #expect(second.status == 69)
                #expect(second.output == "")
                #expect(second.errors.contains("postgres"), "\(second.errors)")
                #expect(try await eventually { try await service.client.send("GET", "/readyz").status == 200 })
                service.program.signal(SIGTERM)
                #expect(await service.program.end() == 0)
            }
        }
    }
}
