import EventStore
import Foundation
import JSON
import Postgres

/// The measurements of one call of `entitled bench`.
struct BenchRun {
    let site: BenchSite
    let history: BenchHistory
    let rounds: Int
    let seconds: Int
    private(set) var report = BenchReport()
    private var isFilled = false
    private var isSettled = false
    private let start = ContinuousClock.now

    init(site: BenchSite, history: BenchHistory, rounds: Int, seconds: Int) {
        self.site = site
        self.history = history
        self.rounds = rounds
        self.seconds = seconds
    }

    mutating func measure(_ part: BenchCommand.Part) async throws {
        if part != .verify { try await fill(rebuilds: part != .rebuild) }
        if part != .verify, part != .rebuild { try await settle() }
        note("\(part.rawValue) …")
        switch part {
        case .verify:
            report.add(try await VerifyBench(site: site, rounds: BenchRounds(count: rounds, seconds: 2)).run())
        case .rebuild:
            let (result, memory) = try await RebuildBench(site: site, history: history, rounds: min(rounds, 2)).run()
            report.add(result)
            report.add(memory: memory)
        case .lookupWarm:
            let (result, memory) = try await lookups.warm()
            report.add(result)
            report.add(memory: memory)
        case .lookupCold: report.add(try await lookups.cold())
        case .lookupMany: report.others["lookupMany"] = try await lookups.many()
        case .scale: report.others["scale"] = try await scale()
        case .ingestNotification: report.add(try await ingest.notifications())
        case .ingestUpload: report.add(try await ingest.uploads())
        case .ingestCurve: report.curve = try await ingest.curve()
        }
    }

    private var lookups: LookupBench {
        LookupBench(site: site, history: history, rounds: BenchRounds(count: rounds, seconds: seconds))
    }
    private var ingest: IngestBench { IngestBench(site: site, rounds: BenchRounds(count: rounds, seconds: seconds)) }

    /// Fills the database, once.
    private mutating func fill(rebuilds: Bool) async throws {
        if isFilled { return }
        isFilled = true
        note("writing \(history.eventCount) events of \(history.accountCount) accounts …")
        let progress = Progress()
        try await site.fill("entitled", history) { progress.show($0) }
        progress.finish()
        if rebuilds { _ = try await site.rebuild("entitled") }
        try await note(size: "entitled")
        let service = try await site.serve()
        report.others["startMs"] = BenchResult.number(service.startMilliseconds)
        service.child.stop()
    }

    /// Lets the database come to rest, once.
    private mutating func settle() async throws {
        if isSettled { return }
        isSettled = true
        note("letting the feed settle …")
        try await site.settle("entitled")
    }

    private mutating func note(size database: String) async throws {
        let size = try await DatabaseOption.withSession(site.database(database)) { session in
            try session.query(
                """
                SELECT sum(pg_total_relation_size(inhrelid))::bigint FROM pg_inherits
                WHERE inhparent = 'entitled.events'::regclass
                """
            ).int64(0, 0)
        }
        report.others["logBytesPerEvent"] = BenchResult.number(Double(size) / Double(history.eventCount))
    }

    private func scale() async throws -> JSONValue {
        var others: [(name: String, history: BenchHistory)] = []
        for accounts in [10_000, 100_000] where accounts < history.accountCount {
            let history = BenchHistory(accounts: accounts, events: Int64(accounts) * 5, reference: history.reference)
            let name = "entitled_\(accounts)"
            try await site.makeDatabase(name, history)
            others.append((name, history))
        }
        return try await lookups.scale(others)
    }

    private func note(_ text: String) {
        let seconds = Int64((ContinuousClock.now - start) / .seconds(1))
        FileHandle.standardError.write(Data("\(Progress.span(seconds)): \(text)\n".utf8))
    }
}
