import EntitlementDomain
import EntitlementService
import EventStore
import Foundation
import JSON
import Postgres

/// `entitled rebuild`.
enum RebuildCommand: Command {
    static let words = ["rebuild"]
    static let summary = "Make the projections anew from the log, beside the running service."
    static let options =
        [DatabaseOption.option] + runOptions + [Option("json", nil, "print one JSON document instead of text")]
    /// Options of every command that rebuilds.
    static let runOptions = [
        PolicyOption.config,
        AuditDatabase.jobsOption,
        Option("memory", "MIB", "how much of the log is kept in memory; default 128"),
        Option("work-dir", "DIR", "where the rest goes, some 500 bytes for each event; default: the system's"),
    ]
    static let discussion = """
        Connect as the owner of the database. The log is read once and folded in parallel into a new generation of the
        projections, which takes the place of the live one in one transaction; questions are answered and events are
        appended all the while. A run that was stopped is resumed by the same command, as far as its files are there.
        """

    static func run(_ arguments: ParsedArguments) async throws {
        let isJSON = arguments.has("json")
        let start = ContinuousClock.now
        let report = try await rebuild(AuditDatabase.configuration(arguments), arguments, Progress(isQuiet: isJSON))
        let seconds = ((ContinuousClock.now - start) / .milliseconds(1)).rounded() / 1_000
        if isJSON {
            let document: JSONValue = [
                "position": .string(report.position.description), "events": JSONValue(report.eventCount),
                "lines": JSONValue(report.lineCount), "accounts": JSONValue(report.accountCount),
                "fileBytes": JSONValue(report.fileBytes), "resumed": JSONValue(report.isResumed),
                "seconds": JSONValue(seconds),
            ]
            print(document)
        } else {
            print(text(report, seconds: seconds))
        }
    }

    /// Rebuilds as the options say.
    static func rebuild(
        _ configuration: PostgresConfiguration,
        _ arguments: ParsedArguments,
        _ progress: Progress
    ) async throws -> RebuildReport {
        var rebuild = ProjectionRebuild(
            policy: try PolicyOption.configured(arguments),
            sessions: try AuditDatabase.jobs(arguments),
            workDirectory: AuditDatabase.workDirectory(arguments),
            program: "\(EntitlementServer.version) \(programStamp)"
        )
        if let memory = try AuditDatabase.memory(arguments) { rebuild.memoryLimit = memory }
        let ready = rebuild
        let report = try await AuditDatabase.run(configuration) {
            try await ready.run(configuration) { progress.show($0) }
        }
        progress.finish()
        return report
    }

    /// What a rebuild did, in a line.
    static func text(_ report: RebuildReport, seconds: Double) -> String {
        let rate = seconds > 0 ? Int64(Double(report.eventCount) / seconds) : 0
        return """
            the projections stand at position \(report.position): \(report.lineCount) lines, \(report.accountCount) \
            accounts from \(report.eventCount) events in \(seconds) s, \(rate) events/s\
            \(report.isResumed ? " (resumed)" : "")
            """
    }

    /// Tells builds of one version apart.
    private static var programStamp: String {
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        )
        let date = (attributes?[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0
        return "\(Int64(date))"
    }
}
