import Foundation
import JSON
import Postgres

/// A rebuild of all projections, against a binary COPY of the log into a sink.
struct RebuildBench {
    let site: BenchSite
    let history: BenchHistory
    let rounds: Int

    func run() async throws -> (result: BenchResult, memory: JSONValue) {
        var rates: [Double] = []
        var references: [Double] = []
        var peak = 0
        // COPY takes no partitioned table, and a SELECT in its place would be slower than the partitions one by one.
        let copies = try await partitions().flatMap { ["-c", "COPY \($0) TO STDOUT (FORMAT binary)"] }
        for _ in 0..<rounds {
            let start = ContinuousClock.now
            _ = try await BenchChild.run(
                "/bin/sh",
                ["-c", "\"$0\" \"$@\" > /dev/null", site.tools.psql, site.database("entitled")] + copies,
                in: site.directory
            )
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            references.append(Double(history.eventCount) / seconds)
            let (report, memory) = try await site.rebuild("entitled")
            guard let events = report["events"]?.doubleValue, let seconds = report["seconds"]?.doubleValue, seconds > 0
            else { throw CommandError(.software, "rebuild printed something else: \(report)") }
            rates.append(events / seconds)
            peak = max(peak, memory)
        }
        let result = BenchResult(
            name: "rebuild",
            work: "rebuild of \(history.eventCount) events",
            reference: "COPY events TO STDOUT (FORMAT binary) into a sink",
            rates: rates,
            referenceRates: references,
            budget: 0.5
        )
        return (result, ["rebuildPeakKiB": JSONValue(Int64(peak))])
    }

    private func partitions() async throws -> [String] {
        try await DatabaseOption.withSession(site.database("entitled")) { session in
            let found = try session.query(
                "SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'entitled.events'::regclass ORDER BY 1"
            )
            return try found.rows.map { try found.text($0, 0) }
        }
    }
}
