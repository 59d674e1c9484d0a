import Foundation
import Glibc
import Postgres
import Simulator
import StoreTesting
import Synchronization
import TestKit
import Testing

/// Mixed load on two instances for a long time, with faults at random moments. The first instance is never killed, so that
/// its memory can be followed; the second and the database are.
final class Soak: Sendable {
    private struct State {
        var rows: [SoakRow] = []
        var faults: [Double] = []
        /// Failed answers while a fault was there, or its end less than a moment ago.
        var expectedFailures = 0
    }

    private let site: FaultSite
    private let begin = ContinuousClock.now
    private let state = Mutex(State())

    init(_ site: FaultSite) {
        self.site = site
    }

    /// How the soak went.
    struct Verdict {
        var rows: [SoakRow]
        var faults: [Double]
        /// Failed answers that no fault explains.
        var unexplainedFailures: Int
        /// Median memory of the first instance in the second quarter of the time and in the last one, in KiB.
        var memory: (early: Int, late: Int)
        /// The same for open files.
        var files: (early: Int, late: Int)

        /// Whether memory stays where it is: what the cache of more accounts takes, and no more.
        var isMemoryFlat: Bool { memory.late <= memory.early + memory.early / 10 + 8_192 }
        var areFilesFlat: Bool { files.late <= files.early + 8 }
    }

    /// Lets it run.
    ///
    /// - Parameters:
    ///   - duration: how long.
    ///   - interval: between two rows.
    ///   - quiet: the time between two faults, in seconds.
    ///   - onRow: told each line of the table as it is made, the header first.
    func run(
        _ duration: Duration,
        interval: Duration,
        quiet: ClosedRange<Double>,
        onRow: @escaping @Sendable (String) -> Void
    ) async throws -> Verdict {
        let end = begin + duration
        onRow(SoakRow.header(instances: site.instances.all.count))
        async let sampling: Void = sample(until: end, interval, onRow)
        var random = SeededGenerator(seed: site.seed ^ 0x50AC)
        while true {
            let pause = Duration.seconds(Double.random(in: quiet, using: &random))
            // The last part of the time is for the recovery.
            guard .now + pause + .seconds(3) < end else { break }
            try await Task.sleep(for: pause)
            try await inject(&random)
        }
        try await Task.sleep(until: end, clock: .continuous)
        try await sampling
        return verdict()
    }

    private func verdict() -> Verdict {
        let (rows, faults, expected) = state.withLock { ($0.rows, $0.faults, $0.expectedFailures) }
        func median(_ rows: ArraySlice<SoakRow>, _ value: (SoakRow) -> Int) -> Int {
            let sorted = rows.map(value).sorted()
            return sorted.isEmpty ? 0 : sorted[sorted.count / 2]
        }
        let (early, late) = (rows[(rows.count / 4)..<(rows.count / 2)], rows[(rows.count * 3 / 4)...])
        return Verdict(
            rows: rows,
            faults: faults,
            unexplainedFailures: failures - expected,
            memory: (median(early) { $0.memory[0] }, median(late) { $0.memory[0] }),
            files: (median(early) { $0.files[0] }, median(late) { $0.files[0] })
        )
    }

    private var seconds: Double { (ContinuousClock.now - begin) / .seconds(1) }

    private var failures: Int {
        let record = site.traffic.record
        return record.answers.values.reduce(0, +) - record.answers["200", default: 0]
    }

    // MARK: Harm

    private func inject(_ random: inout SeededGenerator) async throws {
        let before = failures
        let at = seconds
        state.withLock { $0.faults.append(at) }
        switch Int.random(in: 0..<10, using: &random) {
        case 0...3:
            site.count("SIGKILL of an instance")
            await site.instances.kill(1)
            try await Task.sleep(for: .milliseconds(300))
            try await site.instances.restart(1)
        case 4:
            site.count("SIGSTOP of an instance")
            site.instances.all[0].program.signal(SIGSTOP)
            try await Task.sleep(for: .seconds(1))
            site.instances.all[0].program.signal(SIGCONT)
        case 5, 6:
            site.count("SIGKILL of the postmaster")
            try await restartDatabase(.kill)
        case 7:
            site.count("PostgreSQL stopped at once")
            try await restartDatabase(.immediate)
        case 8:
            site.count("PostgreSQL stopped and started")
            try await restartDatabase(.fast)
        default:
            site.count("PostgreSQL frozen")
            site.server.pause()
            try await Task.sleep(for: .seconds(1))
            site.server.resume()
        }
        try await site.expectRecovery("a fault of the soak")
        // Answers that are on their way still.
        try await Task.sleep(for: .seconds(1))
        let after = failures
        state.withLock { $0.expectedFailures += after - before }
    }

    private func restartDatabase(_ mode: EmbeddedPostgres.StopMode) async throws {
        try await site.server.stop(mode)
        try await Task.sleep(for: .milliseconds(300))
        try await site.server.start()
    }

    // MARK: Measuring

    private func sample(
        until end: ContinuousClock.Instant,
        _ interval: Duration,
        _ onRow: @Sendable (String) -> Void
    ) async throws {
        while ContinuousClock.now < end {
            try await Task.sleep(for: interval)
            let figures = site.instances.all.map { ProcessFigures($0.program.processID) }
            let sessions = try? await withDatabase(site.owner) { session in
                try session.query("SELECT count(*) FROM pg_stat_activity WHERE usename = 'entitled_service'").int64(
                    0,
                    0
                )
            }
            let record = site.traffic.record
            site.traffic.forgetPause()
            let row = SoakRow(
                seconds: seconds,
                memory: figures.map(\.memory),
                files: figures.map(\.files),
                threads: figures.map(\.threads),
                sessions: sessions,
                done: record.doneCount,
                acknowledged: record.acknowledged.count,
                failures: failures,
                faults: state.withLock { $0.faults.count },
                slowest: record.slowest / .milliseconds(1)
            )
            state.withLock { $0.rows.append(row) }
            onRow(row.line)
        }
    }
}
