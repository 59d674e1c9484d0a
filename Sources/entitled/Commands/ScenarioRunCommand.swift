import Foundation
import JSON
import Postgres
import Simulator
import Synchronization

/// `entitled scenario run`.
enum ScenarioRunCommand: Command {
    static let words = ["scenario", "run"]
    static let summary = "Play scenario files through the real service and check its answers."
    static let positional = "FILE…"
    static let options = [
        Option(
            "database",
            "URL",
            "a PostgreSQL server to use (a database is made and dropped); default: a private one"
        ),
        Option("workers", "N", "how many services play side by side; default 2"),
        Option("seed", "N", "seed of the random orders of long files"),
        Option("json", nil, "print one JSON document instead of lines"),
    ]
    static let discussion = """
        Statements are signed with a throwaway chain, verified, appended to PostgreSQL, projected and asked for through the
        JSON-RPC methods, under a virtual clock, in every order the file asks for. A folder stands for the .json files in
        it. Exit status 1 when one fails.
        """

    static func run(_ arguments: ParsedArguments) async throws {
        guard !arguments.positional.isEmpty else {
            throw CommandError(.usage, "name at least one scenario file or folder")
        }
        let isJSON = arguments.has("json")
        let ownServer = arguments.value("database") == nil ? try privateServer() : nil
        let targets = Mutex<[ScenarioService]>([])
        let connectionString = arguments.value("database") ?? ownServer?.ownerConnectionString ?? ""
        var runner = ScenarioRunner(signing: try ScenarioSigning.make()) {
            let target = try ScenarioService(database: try await ScenarioDatabase.create(on: connectionString))
            targets.withLock { $0.append(target) }
            return target
        }
        if let workers = try arguments.integer("workers", in: 1...64) { runner.workers = workers }
        if let seed = try arguments.integer("seed", in: 0...Int.max) { runner.seed = UInt64(seed) }
        let result: Result<ScenarioReport, any Error>
        do {
            result = .success(
                try await runner.run(files: arguments.positional) { report in
                    if !isJSON { print(report.text) }
                }
            )
        } catch {
            result = .failure(error)
        }
        for target in targets.withLock({ $0 }) { await target.close() }
        try ownServer?.remove()
        let report: ScenarioReport
        do {
            report = try result.get()
        } catch {
            throw PostgresError.underlying(error).map { CommandError(.unavailable, "\($0)") } ?? error
        }
        print(isJSON ? report.json.description : report.summary)
        if report.failed > 0 { throw CommandError(.checkFailed, "\(report.failed) failed") }
    }

    private static func privateServer() throws -> EmbeddedPostgres {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("entitled-scenarios-\(UInt32.random(in: .min ... .max))").path
        do {
            return try EmbeddedPostgres(.throwaway(dataDirectory: directory))
        } catch let error as EmbeddedPostgresError {
            throw CommandError(.unavailable, "\(error)")
        }
    }
}
