import Foundation
import Glibc

/// A cluster's files, as far as starting and stopping a server concerns them.
struct DataDirectory: Sendable {
    let path: String

    enum Contents: Equatable {
        case missingOrEmpty
        case cluster(version: String)
        case other
    }

    var contents: Contents {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        if names.isEmpty { return .missingOrEmpty }
        guard let version = read("PG_VERSION") else { return .other }
        return .cluster(version: version.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// What the server says about itself in `postmaster.pid`: process id in the first line, its state in the eighth
    /// (the file pg_ctl waits on too).
    struct ServerState: Equatable {
        var processID: Int32
        var isReady: Bool
    }

    var serverState: ServerState? {
        guard let text = read("postmaster.pid") else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        guard let processID = lines.first.flatMap({ Int32($0) }) else { return nil }
        let state = lines.count > 7 ? lines[7] : ""
        return ServerState(processID: abs(processID), isReady: state == "ready" || state == "standby")
    }

    /// The server's processes all have the data directory as their working directory, so a process that merely got the
    /// number of a dead server is not mistaken for it.
    var serverProcesses: [Int32] {
        let target = canonical(path)
        let numbers = ((try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []).compactMap { Int32($0) }
        return numbers.filter { number in
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(number)/cwd")) == target
                && (try? String(contentsOfFile: "/proc/\(number)/comm", encoding: .utf8)) == "postgres\n"
        }
    }

    private func canonical(_ path: String) -> String {
        guard let resolved = unsafe realpath(path, nil) else { return path }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// Removes the mark of a server that is gone. The server does so itself, unless another process has its number now.
    func removeStaleLock() {
        _ = unsafe unlink(path + "/postmaster.pid")
    }

    private func read(_ name: String) -> String? {
        FileManager.default.contents(atPath: path + "/" + name).map { String(decoding: $0, as: UTF8.self) }
    }
}
