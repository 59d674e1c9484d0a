import Foundation
package import Postgres
import Synchronization

/// The PostgreSQL server of a test run: the one `ENTITLED_TEST_DATABASE` names (a connection string of a role that may
/// create databases), else a private throwaway one, started on first use and removed at the end of the process, also of
/// one that is killed.
///
/// Sendable because session and databases are touched on `queue` only.
@safe
package final class TestServer: @unchecked Sendable {
    private static let outcome = Result { try TestServer() }

    /// The server of this process.
    ///
    /// - Throws: what kept it from starting, the same each time.
    package static var shared: TestServer {
        get throws { try outcome.get() }
    }

    /// A connection string of the owner of the test databases, for the server's maintenance database.
    package let ownerConnectionString: String
    /// The private server; nil when the environment named one.
    package let embedded: EmbeddedPostgres?

    private let queue = DispatchQueue(label: "entitled.testserver")
    private var session: PostgresSession?
    private var databases: Set<String> = []
    private let databaseCount = Atomic<Int>(0)
    private let runMark = String(UInt32.random(in: 0...UInt32.max), radix: 36)

    private init() throws {
        if let chosen = ProcessInfo.processInfo.environment["ENTITLED_TEST_DATABASE"], !chosen.isEmpty {
            embedded = nil
            ownerConnectionString = chosen
        } else {
            Self.removeLeftovers()
            var options = EmbeddedPostgresOptions.throwaway(
                dataDirectory: "\(Self.parent)/\(Self.prefix)\(getpid())-\(runMark)",
                database: "postgres"
            )
            options.settings["max_connections"] = "1000"
            let server = try EmbeddedPostgres(options)
            embedded = server
            ownerConnectionString = server.ownerConnectionString
        }
        atexit { (try? TestServer.outcome.get())?.shutDown() }
    }

    private static let prefix = "entitled-test-"

    /// Each database is some 300 files, so memory is much faster than a disk; not where it is scarce, as in a container
    /// with the usual 64 MiB of shared memory.
    private static let parent: String = {
        let memory = "/dev/shm"
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: memory)
        let free = (attributes?[.systemFreeSize] as? NSNumber)?.int64Value ?? 0
        return free >= 4 << 30 && FileManager.default.isWritableFile(atPath: memory) ? memory : "/tmp"
    }()

    /// A run that was killed while it set up its cluster leaves files behind.
    private static func removeLeftovers() {
        for parent in ["/dev/shm", "/tmp"] { removeLeftovers(in: parent) }
    }

    private static func removeLeftovers(in parent: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? [] where name.hasPrefix(prefix) {
            guard let owner = name.dropFirst(prefix.count).split(separator: "-").first.flatMap({ Int32($0) }),
                kill(owner, 0) != 0, errno == ESRCH
            else { continue }
            let directory = parent + "/" + name
            // A server of that run may be on its way down still, and its watch removes the directory then.
            if FileManager.default.fileExists(atPath: directory + "/postmaster.pid") { continue }
            try? FileManager.default.removeItem(atPath: directory)
        }
    }

    private func shutDown() {
        queue.sync {
            if embedded == nil {
                for name in databases { try? run("DROP DATABASE IF EXISTS \(name) WITH (FORCE)") }
            }
            session = nil
        }
        try? embedded?.remove()
    }

    /// A name no other run on the same server uses.
    func nextDatabaseName() -> String {
        let number = databaseCount.add(1, ordering: .relaxed).newValue
        return "test_\(getpid())_\(runMark)_\(number)"
    }

    /// Makes a database, without blocking the caller's thread.
    func create(_ name: String) async throws {
        try await onQueue {
            try self.run("CREATE DATABASE \(name) TEMPLATE template0")
            self.databases.insert(name)
        }
    }

    /// Removes a database, without blocking the caller's thread.
    func drop(_ name: String) async throws {
        try await onQueue {
            try self.run("DROP DATABASE IF EXISTS \(name) WITH (FORCE)")
            self.databases.remove(name)
        }
    }

    private func onQueue(_ body: @escaping @Sendable () throws -> Void) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }

    private func run(_ sql: String) throws {
        if session?.checkIsAlive() != true {
            session = try PostgresSession(PostgresConfiguration(connectionString: ownerConnectionString))
        }
        try session?.execute(sql)
    }
}
