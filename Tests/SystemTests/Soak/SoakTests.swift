import EntitlementDomain
import Foundation
import Glibc
import JSON
import Simulator
import Synchronization
import Testing

extension SystemTests {
    /// A long life in short: `make soak` makes it an hour.
    ///
    /// `ENTITLED_SOAK_SECONDS` is how long, `ENTITLED_SOAK_RATE` the works a second, and `ENTITLED_SOAK_DIRECTORY` where
    /// the table and the graphs go.
    @Suite struct SoakTests {
        private static func setting(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

        @Test func nothingGrowsAndOnlyWhatWasInjectedFails() async throws {
            let seconds = Self.setting("ENTITLED_SOAK_SECONDS").flatMap { Double($0) } ?? 4
            let isLong = seconds >= 60
            var plan = FaultSite.Plan()
            plan.mix = .daily
            plan.rate = Self.setting("ENTITLED_SOAK_RATE").flatMap { Double($0) } ?? 200
            let directory = Self.setting("ENTITLED_SOAK_DIRECTORY").map { URL(filePath: $0) }
            if let directory {
                try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            }
            try await FaultSite.with("nothingGrowsAndOnlyWhatWasInjectedFails", plan) { site in
                let table = directory?.appending(path: "soak.csv").path(percentEncoded: false)
                if let table { _ = FileManager.default.createFile(atPath: table, contents: nil) }
                let file = table.flatMap { FileHandle(forWritingAtPath: $0) }
                let soak = Soak(site)
                let verdict = try await soak.run(
                    .seconds(seconds),
                    interval: isLong ? .seconds(5) : .milliseconds(200),
                    quiet: isLong ? 10...50 : 0.2...1
                ) { line in
                    try? file?.write(contentsOf: Data((line + "\n").utf8))
                }
                try? file?.close()
                let graph = SoakGraph(verdict.rows, faults: verdict.faults)
                if let directory {
                    try Data(graph.text().utf8).write(to: directory.appending(path: "soak.txt"))
                    try Data(graph.svg().utf8).write(to: directory.appending(path: "soak.svg"))
                    print(graph.text())
                }
                print(
                    """
                    soak: \(Int(seconds)) s, memory of the instance that was never killed \
                    \(verdict.memory.early / 1_024) MiB in the second quarter, \(verdict.memory.late / 1_024) MiB in the \
                    last one, open files \(verdict.files.early) and \(verdict.files.late), \
                    \(verdict.unexplainedFailures) failed answers without a fault
                    """
                )
                #expect(verdict.unexplainedFailures == 0, "seed \(site.seed): \(site.traffic.record.answers)")
                #expect(!verdict.faults.isEmpty)
                if isLong {
                    #expect(verdict.isMemoryFlat)
                    #expect(verdict.areFilesFlat)
                }
            } afterwards: { site in
                try await Self.checkBalances(site)
            }
        }

        /// Coins bought less coins whose spending was acknowledged is what is left, to the last one.
        private static func checkBalances(_ site: FaultSite) async throws {
            let client = try site.client(0)
            for (spender, spent) in site.traffic.record.spends {
                let answer = try await client.call(
                    "balances.get",
                    ["account": .string(site.traffic.spender(spender).description)]
                )
                #expect(
                    answer["result"]?["balances"]?["coins"]?.int64Value == Int64(Traffic.coins - spent),
                    "\(answer)"
                )
            }
        }
    }
}
