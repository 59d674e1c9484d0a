import EventStore
import Foundation
import Postgres

/// How the commands that read or rebuild a whole database connect, and what becomes of their errors.
enum AuditDatabase {
    static let jobsOption = Option("jobs", "N", "how many sessions work side by side; default: one for each core")

    static func configuration(_ arguments: ParsedArguments) throws(CommandError) -> PostgresConfiguration {
        PostgresConfiguration(
            connectionString: try DatabaseOption.connectionString(arguments),
            applicationName: "entitled-audit",
            // The work takes as long as it takes, whatever the role's own settings are.
            settings: [
                "statement_timeout": "0", "idle_in_transaction_session_timeout": "0",
                // So that the server ends the work of a command that was killed, and gives its locks back.
                "client_connection_check_interval": "1s",
            ]
        )
    }

    static func jobs(_ arguments: ParsedArguments) throws(CommandError) -> Int {
        try arguments.integer("jobs", in: 1...64) ?? ProcessInfo.processInfo.activeProcessorCount
    }

    /// Where files go that do not fit into memory.
    static func workDirectory(_ arguments: ParsedArguments) -> URL {
        arguments.value("work-dir").map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
    }

    /// The value of `--memory` in bytes.
    static func memory(_ arguments: ParsedArguments) throws(CommandError) -> Int? {
        try arguments.integer("memory", in: 1...1_048_576).map { $0 << 20 }
    }

    /// Runs work after a check of the schema, and turns its errors into the command's.
    static func run<Value: Sendable>(
        _ configuration: PostgresConfiguration,
        _ body: () async throws -> Value
    ) async throws -> Value {
        try await DatabaseOption.withSession(configuration.connectionString) { try SchemaMigrator.check($0) }
        do {
            return try await body()
        } catch AuditError.rebuildUnderWay {
            throw CommandError(.unavailable, AuditError.rebuildUnderWay.description)
        } catch let error as AuditError {
            throw CommandError(.usage, error.description)
        } catch {
            throw CommandError(ofDatabase: error) ?? error
        }
    }

    /// The value of an option that names a position: `epoch:number` as answers have it, or the number alone.
    static func position(_ name: String, _ arguments: ParsedArguments) throws(CommandError) -> Int64? {
        guard let text = arguments.value(name) else { return nil }
        let number = text.split(separator: ":", omittingEmptySubsequences: false).last.flatMap { Int64($0) }
        guard let number, number > 0 else {
            throw CommandError(.usage, "--\(name) must be a position such as 42 or 1:42, not '\(text)'")
        }
        return number
    }

    /// The value of an option that names a SHA-256 hash.
    static func hash(_ name: String, _ arguments: ParsedArguments) throws(CommandError) -> [UInt8]? {
        guard let text = arguments.value(name) else { return nil }
        guard let bytes = HexText.bytes(text), bytes.count == 32 else {
            throw CommandError(.usage, "--\(name) must be a hash of 64 hexadecimal digits, not '\(text)'")
        }
        return bytes
    }
}
