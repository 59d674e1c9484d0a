import EntitlementDomain
import EventStore
import Foundation
import JSON
import Postgres

/// `entitled audit replay`.
enum AuditReplayCommand: Command {
    static let words = ["audit", "replay"]
    static let summary = "Fold the log from nothing and compare; or see what other rules would do."
    static let options = [
        DatabaseOption.option,
        Option("account", "UUID", "only this account"),
        Option("environment", "NAME", "its environment; default Production"),
        Option("at", "TIME", "the instant that answers are compared at; default now"),
        Option("known-at", "P|TIME", "fold only what was recorded by then"),
        Option("catalog", "FILE", "what if this catalog were in force"),
        PolicyOption.policy,
        PolicyOption.config,
        AuditDatabase.jobsOption,
        Option("memory", "MIB", "how much is kept in memory; default 128"),
        Option("work-dir", "DIR", "where the rest goes, some 500 bytes for each event; default: the system's"),
        Option("limit", "N", "the most lines that are printed; all are counted; default 1000"),
        Option("json", nil, "print one JSON document instead of text"),
    ]
    static let discussion = """
        Without --catalog and --policy the projections are compared with a fresh fold of the log, both within one snapshot
        beside the running service: nothing is printed, with exit status 0, when they are equal; else every difference with
        the events behind it, and exit status 1. --known-at with --account compares what is answered for that cut.

        With --catalog or --policy every account is answered under the rules in force and under the others: who gains
        access, who loses it, whose access ends sooner or later. --policy replaces the policies whole.
        """

    static func run(_ arguments: ParsedArguments) async throws {
        let isJSON = arguments.has("json")
        let configuration = try AuditDatabase.configuration(arguments)
        let environment = arguments.value("environment").map { StoreEnvironment(rawValue: $0) }
        let account = try account(arguments)
        let instant = try instant(arguments)
        let knownAt = try knownAt(arguments)
        let catalog = try catalog(arguments)
        let otherPolicy = try PolicyOption.given(arguments)
        let policy = try PolicyOption.configured(arguments)
        let limit = try arguments.integer("limit", in: 0...1_000_000) ?? 1_000
        let progress = Progress(isQuiet: isJSON)
        if catalog != nil || otherPolicy != nil {
            var comparison = RuleComparison(
                policy: policy,
                instant: instant,
                sessions: try AuditDatabase.jobs(arguments),
                workDirectory: AuditDatabase.workDirectory(arguments)
            )
            comparison.otherCatalog = catalog
            comparison.otherPolicy = otherPolicy
            comparison.knownAt = knownAt
            comparison.environment = environment
            comparison.account = account
            comparison.limit = limit
            if let memory = try AuditDatabase.memory(arguments) { comparison.memoryLimit = memory }
            let ready = comparison
            let report = try await AuditDatabase.run(configuration) {
                try await ready.compare(configuration) { progress.show($0) }
            }
            progress.finish()
            print(isJSON ? AuditText.json(report).description : AuditText.text(report))
            return
        }
        let report: ReplayReport
        if let account {
            let replay = AccountReplay(
                account: account,
                environment: environment ?? .production,
                policy: policy,
                instant: instant,
                knownAt: knownAt
            )
            report = try await AuditDatabase.run(configuration) { try await replay.compare(configuration) }
        } else {
            if knownAt != nil || environment != nil {
                throw CommandError(
                    .usage,
                    "--known-at and --environment need --account here, or other rules by --catalog or --policy"
                )
            }
            report = try await compareAll(policy, limit, arguments, configuration, progress)
        }
        progress.finish()
        if isJSON {
            print(AuditText.json(report))
        } else {
            for difference in report.differences.prefix(limit) { print(AuditText.text(difference)) }
        }
        if !report.isEqual {
            throw CommandError(
                .checkFailed,
                "\(report.differenceCount) difference\(report.differenceCount == 1 ? "" : "s") at position \(report.position)"
            )
        }
    }

    private static func compareAll(
        _ policy: Policy,
        _ limit: Int,
        _ arguments: ParsedArguments,
        _ configuration: PostgresConfiguration,
        _ progress: Progress
    ) async throws -> ReplayReport {
        var replay = ProjectionReplay(
            policy: policy,
            sessions: try AuditDatabase.jobs(arguments),
            workDirectory: AuditDatabase.workDirectory(arguments)
        )
        replay.limit = limit
        if let memory = try AuditDatabase.memory(arguments) { replay.memoryLimit = memory }
        let ready = replay
        return try await AuditDatabase.run(configuration) {
            try await ready.compare(configuration) { progress.show($0) }
        }
    }

    // MARK: Options

    private static func account(_ arguments: ParsedArguments) throws(CommandError) -> AccountID? {
        guard let text = arguments.value("account") else { return nil }
        if let account = AccountID(text) { return account }
        throw CommandError(.usage, "--account must be a UUID, not '\(text)'")
    }

    private static func instant(_ arguments: ParsedArguments) throws(CommandError) -> Instant {
        guard let text = arguments.value("at") else { return SystemClock.now() }
        if let instant = Instant(iso8601: text) { return instant }
        throw CommandError(.usage, "--at must be an ISO 8601 time, not '\(text)'")
    }

    private static func knownAt(_ arguments: ParsedArguments) throws(CommandError) -> KnownAt? {
        guard let text = arguments.value("known-at") else { return nil }
        if let position = LogPosition(text) { return .position(position) }
        if let instant = Instant(iso8601: text) { return .time(instant) }
        throw CommandError(.usage, "--known-at must be a position such as 1:42 or an ISO 8601 time, not '\(text)'")
    }

    private static func catalog(_ arguments: ParsedArguments) throws -> Catalog? {
        guard let path = arguments.value("catalog") else { return nil }
        let bytes = try CatalogFile.bytes(path)
        do throws(CatalogError) {
            return try CatalogDocument.read(bytes).catalog
        } catch {
            throw CommandError(.dataError, "\(path) has problems:\n\(error)")
        }
    }
}
