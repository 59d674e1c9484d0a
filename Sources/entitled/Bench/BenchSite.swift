import EntitlementAPI
import EntitlementDomain
import EntitlementService
import EventStore
import Foundation
import JSON
import Postgres
import Simulator

/// The directory, the private PostgreSQL and the services that are measured.
struct BenchSite {
    let tools: BenchTools
    let directory: URL
    let environment: DevEnvironment
    /// An API key with every scope.
    let key: String
    /// The scripts for wrk.
    let scripts: URL

    /// A quarter of the machine's memory, as PostgreSQL's manual (section 20.4) recommends, and 8 GiB at most; in MiB.
    private static let sharedBuffers = max(128, min(ProcessInfo.processInfo.physicalMemory / 4, 8 << 30) >> 20)

    /// What the server of all measurements, the references among them, runs with: fsync and synchronous commit as by
    /// default, memory as an operator of such a machine would give it.
    static let serverSettings = [
        "shared_buffers": "\(sharedBuffers)MB", "max_wal_size": "8GB", "checkpoint_timeout": "15min",
        "max_connections": "300",
    ]

    init(tools: BenchTools, directory: URL, scripts: URL) async throws {
        self.tools = tools
        self.directory = directory
        self.scripts = scripts
        environment = try await DevEnvironment(directory: directory, serverSettings: Self.serverSettings) { _ in }
        let store = PostgresEventStore(
            PostgresEventStore.Configuration(connectionString: environment.serviceDatabase),
            clock: SystemClock.now
        )
        do {
            try await environment.loadSampleCatalog(store)
            key = try await environment.apiKey(store)
            await store.close()
        } catch {
            await store.close()
            throw error
        }
    }

    /// A connection string of the owner for a database of this server.
    func database(_ name: String) -> String {
        environment.postgres.connectionString(user: "entitled", database: name)
    }

    /// Runs SQL as the owner.
    func execute(_ sql: String, in database: String = "entitled") async throws {
        try await DatabaseOption.withSession(self.database(database)) { try $0.execute(sql) }
    }

    /// Makes another database like the first, with catalog and API key, and a log of its own.
    func makeDatabase(_ name: String, _ history: BenchHistory) async throws {
        try await execute("CREATE DATABASE \(name)")
        let key = APIKey(key)?.record(name: "bench", scopes: [.read, .submit], createdAt: SystemClock.now())
        try await DatabaseOption.withSession(database(name)) { session in
            try SchemaMigrator.migrate(session)
            if let key { try session.addKey(key) }
        }
        let store = PostgresEventStore(
            PostgresEventStore.Configuration(
                connectionString: environment.postgres.connectionString(user: "entitled_service", database: name)
            ),
            clock: SystemClock.now
        )
        do {
            try await environment.loadSampleCatalog(store)
            await store.close()
        } catch {
            await store.close()
            throw error
        }
        try await fill(name, history) { _ in }
        _ = try await rebuild(name)
        try await settle(name)
    }

    /// Lets a service look at every account once, since after the first rebuild all of them are new to the feed: nothing is
    /// measured beside work that is done once.
    func settle(_ database: String) async throws {
        let service = try await serve(database)
        defer { service.child.stop() }
        let due = "SELECT count(*) FROM (SELECT FROM entitled.feed WHERE due_at <= now() LIMIT 1000) f"
        while true {
            let left = try await DatabaseOption.withSession(self.database(database)) { try $0.query(due).int64(0, 0) }
            if left < 1_000 { break }
            try await Task.sleep(for: .seconds(1))
        }
        try await execute("VACUUM ANALYZE entitled.feed", in: database)
        try await execute("CHECKPOINT")
    }

    /// Writes a log behind what is there.
    func fill(
        _ database: String,
        _ history: BenchHistory,
        progress: @escaping @Sendable (AuditProgress) -> Void
    ) async throws {
        let configuration = PostgresConfiguration(connectionString: self.database(database))
        try await BulkLog().name(history.accountCount, in: .production, of: configuration) {
            (history.account($0), history.pseudonym($0))
        }
        try await BulkLog().append(history.eventCount, to: configuration, progress: progress) { history.event($0) }
        try await execute("ANALYZE entitled.events", in: database)
        try await execute("ANALYZE entitled.account_names", in: database)
    }

    /// Rebuilds the projections by this program.
    ///
    /// - Returns: the document that it prints, and its peak memory in KiB.
    func rebuild(_ database: String) async throws -> (report: JSONValue, peakMemory: Int) {
        let output = directory.appendingPathComponent("rebuild-output")
        let child = try BenchChild(
            tools.entitled,
            ["rebuild", "--json", "--database", self.database(database), "--work-dir", directory.path],
            output: output
        )
        let peak = try await child.finish()
        return (try JSONParser.parse(Array(child.text.utf8)), peak)
    }

    /// A service as `entitled serve` runs it.
    struct Service {
        let child: BenchChild
        let url: String
        /// From the start of the process to the first answer, in milliseconds.
        let startMilliseconds: Double
    }

    /// Starts a service and waits for its first answer.
    ///
    /// - Parameter settings: over those that every service here has.
    func serve(_ database: String = "entitled", _ settings: JSONObject = [:]) async throws -> Service {
        var configuration: JSONObject = [
            "database": .string(environment.postgres.connectionString(user: "entitled_service", database: database)),
            "listen": ["port": 0],
            "apps": [
                [
                    "bundleId": .string(DevEnvironment.bundleID),
                    "appAppleId": JSONValue(DevEnvironment.appAppleID),
                ]
            ],
            "trustRoots": [.string(environment.chainDirectory.appendingPathComponent("root.pem").path)],
        ]
        for member in settings.members { configuration[member.key] = member.value }
        let file = directory.appendingPathComponent("serve-\(UUID().uuidString).json")
        try Data(JSONValue.object(configuration).serialized()).write(to: file)
        let output = directory.appendingPathComponent("serve-output-\(UUID().uuidString)")
        let start = ContinuousClock.now
        let child = try BenchChild(tools.entitled, ["serve", "--config", file.path], output: output)
        do {
            let line = try await child.line(with: "listens on", within: 30)
            guard let url = line.split(separator: " ").last.map(String.init) else {
                throw CommandError(.software, "the service printed something else than was expected: \(line)")
            }
            let service = BenchRequest(url: url, key: key)
            _ = try await service.call("entitlements.get", ["account": "11111111-1111-4111-8111-111111111111"])
            return Service(child: child, url: url, startMilliseconds: (ContinuousClock.now - start) / .milliseconds(1))
        } catch {
            child.stop()
            throw error
        }
    }
}
