import Foundation

/// One run of pgbench with prepared statements.
struct PgbenchRun {
    /// Transactions in a second.
    var rate: Double

    init(_ site: BenchSite, _ arguments: [String], connections: Int, seconds: Int) async throws {
        let text = try await BenchChild.run(
            site.tools.pgbench,
            ["-n", "-M", "prepared", "-c", "\(connections)", "-j", "2", "-T", "\(seconds)"] + arguments
                + [site.database("entitled")],
            in: site.directory
        )
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix("tps = ") }),
            let rate = Double(line.split(separator: " ")[2]), rate > 0
        else { throw CommandError(.software, "pgbench printed something else than was expected: \(text.suffix(500))") }
        self.rate = rate
    }
}
