import Dispatch
package import Postgres

/// A fresh database for one test.
///
/// It is there until `drop`, or the end of the process: an object's own end would come too early, since a test keeps
/// connection strings rather than this object.
package final class TestDatabase: Sendable {
    package let name: String
    /// A connection string of the database's owner.
    package let ownerConnectionString: String
    private let server: TestServer

    /// Makes an empty database.
    ///
    /// - Parameter schema: SQL text to run in it at once, for example the contents of schema.sql.
    package static func create(schema: String? = nil) async throws -> TestDatabase {
        // The first use starts a server: not on a cooperative thread.
        let server = try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async { continuation.resume(with: Result { try TestServer.shared }) }
        }
        let database = try TestDatabase(server)
        try await server.create(database.name)
        if let schema {
            try await PostgresThread.withSession(database.ownerConfiguration) { try $0.execute(schema) }
        }
        return database
    }

    private init(_ server: TestServer) throws {
        self.server = server
        name = server.nextDatabaseName()
        ownerConnectionString = try PostgresConfiguration.connectionString(server.ownerConnectionString, database: name)
    }

    /// Removes the database, with whatever sessions are still on it. Worth it for a test that fills it.
    package func drop() async throws {
        try await server.drop(name)
    }

    /// How the owner connects.
    package var ownerConfiguration: PostgresConfiguration {
        PostgresConfiguration(connectionString: ownerConnectionString, applicationName: "entitled-tests")
    }

    /// A connection string of another role, which must exist.
    package func connectionString(user: String) throws -> String {
        try PostgresConfiguration.connectionString(ownerConnectionString, user: user)
    }

    /// A session of the owner, for a test that makes blocking calls on a thread of its own.
    package func ownerSession() throws -> PostgresSession {
        try PostgresSession(ownerConfiguration)
    }
}
