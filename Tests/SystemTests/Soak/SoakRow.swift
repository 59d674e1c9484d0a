import Foundation

/// What was measured at one moment of a soak.
struct SoakRow: Sendable {
    /// Since the beginning.
    var seconds: Double
    /// Resident memory of each instance, in KiB; 0: it does not run.
    var memory: [Int]
    /// Open files of each instance.
    var files: [Int]
    var threads: [Int]
    /// The database's sessions of the service.
    var sessions: Int64?
    /// Works answered well, and statements acknowledged, since the beginning.
    var done: Int
    var acknowledged: Int
    /// Answers that were none, or an error, since the beginning.
    var failures: Int
    /// Injected faults since the beginning.
    var faults: Int
    /// The slowest answer since the row before, in milliseconds.
    var slowest: Double

    static func header(instances: Int) -> String {
        let each = (1...instances).map { "rss_kib_\($0),files_\($0),threads_\($0)" }.joined(separator: ",")
        return "seconds,\(each),sessions,done,acknowledged,failures,faults,slowest_ms"
    }

    var line: String {
        let each = memory.indices.map { "\(memory[$0]),\(files[$0]),\(threads[$0])" }.joined(separator: ",")
        let head = String(format: "%.1f", seconds)
        return "\(head),\(each),\(sessions.map(String.init) ?? ""),\(done),\(acknowledged),\(failures),\(faults),"
            + String(format: "%.1f", slowest)
    }
}

/// What the system says about a process.
struct ProcessFigures {
    var memory = 0
    var files = 0
    var threads = 0

    init(_ processID: Int32) {
        let status = (try? String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)) ?? ""
        for line in status.split(separator: "\n") {
            let words = line.split { $0 == " " || $0 == "\t" }
            guard words.count >= 2, let number = Int(words[1]) else { continue }
            if words[0] == "VmRSS:" { memory = number }
            if words[0] == "Threads:" { threads = number }
        }
        files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(processID)/fd").count) ?? 0
    }
}
