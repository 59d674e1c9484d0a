import Foundation
import Postgres
import Synchronization

/// A program that runs beside the measurement.
final class BenchChild: Sendable {
    private let process: ChildProcess
    private let output: URL
    private let status = Mutex<Int32?>(nil)

    /// Starts a program; what it prints goes to a file.
    init(_ program: String, _ arguments: [String], output: URL) throws {
        self.output = output
        try? FileManager.default.removeItem(at: output)
        process = try ChildProcess.start([program] + arguments, output: output.path)
    }

    deinit { stop() }

    /// What it has printed so far.
    var text: String { (try? String(contentsOf: output, encoding: .utf8)) ?? "" }

    /// The exit status; nil while it runs.
    private var exitStatus: Int32? {
        status.withLock { status in
            if status == nil { status = process.poll() }
            return status
        }
    }

    /// A value of `/proc/PID/status` in KiB, for example `VmRSS`; nil once it has ended.
    func memory(_ name: String) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/\(process.processID)/status", encoding: .utf8)
        else { return nil }
        let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
        return line.flatMap { Int($0.filter(\.isNumber)) }
    }

    /// Waits until it has printed a line with this text, and returns that line.
    func line(with text: String, within seconds: Double) async throws -> String {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while true {
            if let line = self.text.split(separator: "\n").first(where: { $0.contains(text) }) { return String(line) }
            guard exitStatus == nil, ContinuousClock.now < deadline else {
                throw CommandError(.unavailable, "a program of the measurement did not start: \(self.text.suffix(500))")
            }
            try await Task.sleep(for: .milliseconds(2))
        }
    }

    /// Asks it to end and waits for that.
    func stop() {
        guard exitStatus == nil else { return }
        kill(process.processID, SIGTERM)
        status.withLock { $0 = process.wait() }
    }

    /// Waits for the end, and returns the most memory that was seen in use, in KiB.
    ///
    /// - Throws: `CommandError` when it fails, or takes too long.
    func finish(within seconds: Double = 1_800) async throws -> Int {
        let deadline = ContinuousClock.now + .seconds(seconds)
        var peak = 0
        while exitStatus == nil {
            peak = max(peak, memory("VmHWM") ?? 0)
            guard ContinuousClock.now < deadline else {
                stop()
                throw CommandError(.unavailable, "a program of the measurement took too long: \(text.suffix(500))")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        guard exitStatus == 0 else {
            throw CommandError(.unavailable, "a program of the measurement failed: \(text.suffix(500))")
        }
        return peak
    }

    /// Runs a program to its end.
    ///
    /// - Returns: what it printed.
    static func run(
        _ program: String,
        _ arguments: [String],
        in directory: URL,
        within seconds: Double = 600
    ) async throws -> String {
        let output = directory.appendingPathComponent("output-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: output) }
        let child = try BenchChild(program, arguments, output: output)
        _ = try await child.finish(within: seconds)
        return child.text
    }
}
