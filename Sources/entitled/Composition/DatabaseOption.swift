import EventStore
import Foundation
import Postgres

/// The database of commands that work on one: `--database`, else `ENTITLED_DATABASE`.
enum DatabaseOption {
    static let option = Option(
        "database",
        "URL",
        "libpq connection string; default: the variable ENTITLED_DATABASE"
    )

    static func connectionString(_ arguments: ParsedArguments) throws(CommandError) -> String {
        let given = arguments.value("database")
        let variable = ProcessInfo.processInfo.environment["ENTITLED_DATABASE"].flatMap { $0.isEmpty ? nil : $0 }
        guard let text = given ?? variable else {
            throw CommandError(.usage, "no database: give --database URL or set ENTITLED_DATABASE")
        }
        if let fault = PostgresConfiguration.problem(inConnectionString: text) {
            throw given == nil
                ? CommandError(.configuration, "ENTITLED_DATABASE: \(fault)")
                : CommandError(.usage, "--database: \(fault)")
        }
        return text
    }

    /// Runs work on a store over the database, and turns its errors into the command's.
    static func withStore<Value: Sendable>(
        _ arguments: ParsedArguments,
        _ body: (PostgresEventStore) async throws -> Value
    ) async throws -> Value {
        let store = PostgresEventStore(
            PostgresEventStore.Configuration(connectionString: try connectionString(arguments), readers: 1),
            clock: SystemClock.now
        )
        do {
            try await store.check()
            let value = try await body(store)
            await store.close()
            return value
        } catch let error as StoreError {
            await store.close()
            throw CommandError(error)
        }
    }

    /// Runs work on one session, and turns its errors into the command's.
    static func withSession<Value: Sendable>(
        _ connectionString: String,
        _ body: @escaping @Sendable (PostgresSession) throws -> Value
    ) async throws -> Value {
        do {
            return try await PostgresThread.withSession(
                PostgresConfiguration(connectionString: connectionString),
                body
            )
        } catch {
            throw CommandError(ofDatabase: error) ?? error
        }
    }

    /// Runs work on a session of the database's owner after a check of the schema, and turns its errors into the command's.
    static func withOwner<Value: Sendable>(
        _ arguments: ParsedArguments,
        _ body: @escaping @Sendable (PostgresSession) throws -> Value
    ) async throws -> Value {
        try await withSession(connectionString(arguments)) { session in
            try SchemaMigrator.check(session)
            return try body(session)
        }
    }
}

extension CommandError {
    /// What becomes of an error of the store or of PostgreSQL; nil for any other.
    init?(ofDatabase error: any Error) {
        guard error is StoreError || PostgresError.underlying(error) != nil else { return nil }
        self.init(StoreError(error))
    }

    init(_ error: StoreError) {
        switch error {
        case .schemaMismatch, .unsuitable: self.init(.configuration, error.description)
        case .unavailable, .readOnly, .positionNotReached: self.init(.unavailable, error.description)
        case .archived: self.init(.dataError, error.description)
        case .failed: self.init(.software, error.description)
        }
    }
}
