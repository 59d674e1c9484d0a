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

    /// The socket's file, through which everybody is let in.
    package var socketPath: String { server.socketDirectory + "/.s.PGSQL.5432" }

    /// The process id of the server's first process while it runs.
    package var processID: Int32? { server.processID }

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
