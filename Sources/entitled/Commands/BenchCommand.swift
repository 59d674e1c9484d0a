import EntitlementDomain
import Foundation
import JSON
import Postgres

/// `entitled bench`.
enum BenchCommand: Command {
    static let words = ["bench"]
    static let summary = "Measure this program on this machine against nginx, pgbench, openssl and PostgreSQL's COPY."
    static let options = [
        Option("json", nil, "print one JSON document to standard output, and the table to standard error"),
        Option(
            "only",
            "NAME",
            "only this measurement (\(Part.allCases.map(\.rawValue).joined(separator: ", "))); may be repeated"
        ),
        Option("accounts", "N", "accounts in the database; default 1000000"),
        Option("events", "N", "events in the log; default 2000000"),
        Option("rounds", "N", "rounds of each measurement, whose medians count; default 2"),
        Option("seconds", "N", "seconds of each round; default 2"),
        Option("data", "DIR", "where the database is made, and removed at the end; default a temporary directory"),
        Option("scripts", "DIR", "the scripts for wrk; default deploy/bench"),
    ]
    static let discussion = """
        Everything runs on this machine, the database and what makes the load too, and each work is measured in turns with
        its reference: the ratios tell something, the rates only of this machine. With the defaults it takes some minutes,
        and disk for 2 KB an event and 8 GB of PostgreSQL's log.
        """

    /// A measurement, in the order in which they run.
    enum Part: String, CaseIterable {
        case verify, rebuild, lookupWarm, lookupCold, lookupMany, scale, ingestNotification, ingestUpload, ingestCurve
    }

    static func run(_ arguments: ParsedArguments) async throws {
        let tools = try BenchTools()
        let parts = try arguments.all("only").map { name throws(CommandError) in
            guard let part = Part(rawValue: name) else {
                throw CommandError(.usage, "there is no measurement '\(name)'")
            }
            return part
        }
        let scripts = URL(filePath: arguments.value("scripts") ?? "deploy/bench")
        guard FileManager.default.fileExists(atPath: scripts.appendingPathComponent("look-up.lua").path) else {
            throw CommandError(.noInput, "\(scripts.path) has no scripts for wrk; --scripts names their directory")
        }
        let accounts = try arguments.integer("accounts", in: 100...10_000_000) ?? 1_000_000
        let events = try arguments.integer("events", in: 1_000...1_000_000_000) ?? 2_000_000
        let directory = URL(filePath: arguments.value("data") ?? "/var/tmp/entitled-bench-\(getpid())")
        guard !FileManager.default.fileExists(atPath: directory.path) else {
            throw CommandError(.usage, "\(directory.path) is there already; it would be removed at the end")
        }
        defer { try? FileManager.default.removeItem(at: directory) }
        var run = BenchRun(
            site: try await BenchSite(tools: tools, directory: directory, scripts: scripts),
            history: BenchHistory(accounts: accounts, events: Int64(events), reference: SystemClock.now()),
            rounds: try arguments.integer("rounds", in: 1...100) ?? 2,
            seconds: try arguments.integer("seconds", in: 1...600) ?? 2
        )
        do {
            let ready = run
            run = try await BenchStop.unlessStopped {
                var run = ready
                for part in Part.allCases where parts.isEmpty || parts.contains(part) { try await run.measure(part) }
                return run
            }
            try run.site.environment.postgres.remove()
        } catch {
            try? run.site.environment.postgres.remove()
            throw error
        }
        let report = run.report
        if arguments.has("json") {
            FileHandle.standardError.write(Data(report.text.utf8))
            print(report.json)
        } else {
            print(report.text, terminator: "")
        }
    }
}
