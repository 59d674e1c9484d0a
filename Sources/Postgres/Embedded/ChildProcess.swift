import CLibpq
import Foundation
import Glibc

/// A child process with nothing inherited but three descriptors, in a process group of its own: neither an interrupt
/// from the terminal nor an open listening socket of the parent reaches it.
package struct ChildProcess {
    package let processID: Int32

    /// Starts `command`; its first word is a path.
    ///
    /// - Parameters:
    ///   - input: the descriptor that becomes standard input; nil for `/dev/null`.
    ///   - output: the file standard output and error are appended to; nil for `/dev/null`.
    /// - Throws: `EmbeddedPostgresError.system` when the program cannot be started.
    package static func start(_ command: [String], input: Int32? = nil, output: String? = nil) throws -> ChildProcess {
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        if let input {
            unsafe posix_spawn_file_actions_adddup2(&actions, input, 0)
        } else {
            unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        }
        unsafe posix_spawn_file_actions_addopen(
            &actions,
            1,
            output ?? "/dev/null",
            O_WRONLY | O_CREAT | O_APPEND,
            0o600
        )
        unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
        unsafe posix_spawn_file_actions_addclosefrom_np(&actions, 3)
        // The server must see the default reaction to signals, whatever this process chose.
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        let flags = Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK)
        unsafe posix_spawnattr_setflags(&attributes, flags)
        unsafe posix_spawnattr_setpgroup(&attributes, 0)

        let environment = ["PATH=/usr/bin:/bin:/usr/sbin:/sbin", "LC_ALL=C.UTF-8", "TZ=UTC"]
        let arguments = unsafe command.map { unsafe strdup($0) } + [nil]
        let variables = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe arguments.indices { unsafe free(arguments[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        var processID: Int32 = 0
        let code = unsafe posix_spawn(&processID, command[0], &actions, &attributes, arguments, variables)
        guard code == 0 else { throw EmbeddedPostgresError.system(action: "starting \(command[0])", errno: code) }
        return ChildProcess(processID: processID)
    }

    /// Takes the exit status, once: the exit code, or 128 and the signal that ended it. Nil while it runs.
    package func poll() -> Int32? { status(WNOHANG) }

    /// Waits for the end.
    package func wait() -> Int32 { status(0) ?? -1 }

    private func status(_ options: Int32) -> Int32? {
        var status: Int32 = 0
        while true {
            let answer = unsafe waitpid(processID, &status, options)
            if answer == processID { return status & 0x7f == 0 ? status >> 8 & 0xff : 128 + status & 0x7f }
            if answer == 0 { return nil }
            if errno != EINTR { return -1 }
        }
    }

    /// Runs `command` to its end.
    ///
    /// - Returns: its exit status and what it wrote.
    static func run(_ command: [String]) throws -> (status: Int32, output: String) {
        let file = NSTemporaryDirectory() + "/entitled-output-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: file) }
        let status = try start(command, output: file).wait()
        let output = FileManager.default.contents(atPath: file).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return (status, output.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// As `run`, for a command that must succeed.
    static func output(of command: [String]) throws -> String {
        let (status, output) = try run(command)
        guard status == 0 else {
            throw EmbeddedPostgresError.programFailed(program: command[0], status: status, output: output)
        }
        return output
    }
}
