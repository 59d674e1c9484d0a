import Dispatch
package import Foundation
package import Postgres

/// A PostgreSQL server of one test's own, which may be stopped and started. Not durable against a crash of the machine,
/// but against one of the server's.
package final class PrivateServer: Sendable {
    private let server: EmbeddedPostgres

    private init(_ server: EmbeddedPostgres) {
        self.server = server
    }

    /// Sets up a cluster and starts it.
    ///
    /// - Parameters:
    ///   - parent: the directory that its own lies in; nil: the one for temporary files.
    ///   - settings: more for the server's command line.
    package static func start(in parent: URL? = nil, settings: [String: String] = [:]) async throws -> PrivateServer {
        let name = "entitled-test-server-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        var options = EmbeddedPostgresOptions.throwaway(
            dataDirectory: (parent ?? FileManager.default.temporaryDirectory).appendingPathComponent(name).path
        )
        // Without a flush, but not without writing to the file: what was committed survives the server's end.
        options.settings["synchronous_commit"] = "on"
        options.settings.merge(settings) { $1 }
        let chosen = options
        return PrivateServer(try await onThread { try EmbeddedPostgres(chosen) })
    }

    /// Sets up a copy of another server that follows it by streaming replication, and starts it.
    ///
    /// - Parameters:
    ///   - primary: runs with `wal_level=replica` and some `max_wal_senders`.
    ///   - settings: the primary's.
    package static func standby(
        of primary: PrivateServer,
        settings: [String: String]
    ) async throws -> PrivateServer {
        let name = "entitled-test-server-\(getpid())-\(UInt32.random(in: 0...UInt32.max))"
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(name).path
        let source = primary.server.socketDirectory
        var options = EmbeddedPostgresOptions.throwaway(dataDirectory: directory)
        options.settings["synchronous_commit"] = "on"
        options.settings.merge(settings) { $1 }
        let chosen = options
        return PrivateServer(
            try await onThread {
                let backup = [
                    try programs() + "/pg_basebackup", "-D", directory, "-h", source, "-U", "entitled", "-R", "-X",
                    "stream", "-c", "fast", "--no-sync",
                ]
                // As root, the log and the copy are root's, and the server does not run as root.
                let give = ["/bin/chown", "-R", "--reference=\(source)"]
                // The lock of the socket is copied like any file.
                let unlock = ["/bin/rm", "-f", directory + "/.s.PGSQL.5432.lock"]
                for command in [give + [source], backup, give + [directory], unlock] {
                    let status = try ChildProcess.start(command).wait()
                    guard status == 0 else { throw CommandFailed(command: command, status: status) }
                }
                return try EmbeddedPostgres(chosen)
            }
        )
    }

    private struct CommandFailed: Error {
        var command: [String]
        var status: Int32
    }

    private static func programs() throws -> String {
        if let chosen = ProcessInfo.processInfo.environment["ENTITLED_PG_BIN"], !chosen.isEmpty { return chosen }
        let root = "/usr/lib/postgresql"
        let versions = try FileManager.default.contentsOfDirectory(atPath: root).compactMap { Int($0) }
        return "\(root)/\(versions.max() ?? 0)/bin"
    }

    /// The socket's file, through which everybody is let in.
    package var socketPath: String { server.socketDirectory + "/.s.PGSQL.5432" }

    /// Whether it has been started and has not ended by itself.
    package var isRunning: Bool { server.isRunning }

    /// The end of the server's log.
    package var logTail: String { server.logTail }

    /// A connection string for a role and a database.
    package func connectionString(user: String, database: String) -> String {
        server.connectionString(user: user, database: database)
    }

    /// Runs work on a session of the owner in the maintenance database.
    package func run(_ body: @escaping @Sendable (PostgresSession) throws -> Void) async throws {
        try await PostgresThread.withSession(
            PostgresConfiguration(connectionString: connectionString(user: "entitled", database: "postgres")),
            body
        )
    }

    /// Stops the server; the data stay.
    package func stop(_ mode: EmbeddedPostgres.StopMode) async throws {
        try await Self.onThread { try self.server.stop(mode) }
    }

    /// Starts it again.
    package func start() async throws {
        try await Self.onThread { try self.server.start() }
    }

    /// What a supervisor does, again and again: starts the server if it has ended by itself, and looks whether it lets
    /// anybody in.
    ///
    /// - Returns: whether it does.
    package func isUpAgain() async -> Bool {
        do {
            if !server.isRunning {
                try await stop(.kill)
                try await start()
            }
            try await run { try $0.execute("SELECT 1") }
            return true
        } catch {
            return false
        }
    }

    /// Freezes all processes of the server until `resume`: it neither answers nor closes a connection.
    package func pause() { server.pause() }

    /// Ends `pause`.
    package func resume() { server.resume() }

    /// Stops the server and removes its data.
    package func remove() async throws {
        try await Self.onThread { try self.server.remove() }
    }

    /// The server's calls block.
    private static func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value
    {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
        }
    }
}
