import Foundation
import JSON
import Postgres
import Simulator

/// `entitled dev` over a data directory.
final class DevService: Sendable {
    let program: RunningProgram
    let client: ServiceClient
    /// A connection string of the database's owner.
    let database: String
    let directory: URL

    /// Starts it and reads its first line.
    init(in directory: URL) async throws {
        self.directory = directory
        program = try RunningProgram([
            "dev", "--json", "--port", "0", "--data", directory.path(percentEncoded: false),
        ])
        let line = try JSONParser.parse(try await program.firstLine())
        guard let url = line["url"]?.stringValue, let key = line["key"]?.stringValue,
            let database = line["database"]?.stringValue
        else { throw UnexpectedFirstLine(line: line.description) }
        client = try ServiceClient(url: url, key: key)
        self.database = database
    }

    /// The chain whose statements it trusts.
    func chain() throws -> ThrowawayChain {
        try ThrowawayChain(directory: directory.appending(path: "chain"))
    }

    /// The processes of its PostgreSQL, found by their working directory, which is the cluster's.
    var serverProcesses: [Int32] {
        let cluster = directory.appending(path: "postgres").path(percentEncoded: false)
        return ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
            .filter { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\($0)/cwd")) == cluster }
    }

    struct UnexpectedFirstLine: Error {
        var line: String
    }
}

/// Runs work on a session of its own.
func withDatabase<Value: Sendable>(
    _ connectionString: String,
    _ body: @escaping @Sendable (PostgresSession) throws -> Value
) async throws -> Value {
    try await PostgresThread.withSession(PostgresConfiguration(connectionString: connectionString), body)
}
