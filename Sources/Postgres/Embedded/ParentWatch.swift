import Glibc

/// Stops the server when this process ends without having done so, however it ends, SIGKILL included.
///
/// A small shell waits for the end of a pipe whose other end only this process holds; the system closes it with the
/// process. (The kernel's parent-death signal is no substitute: it follows the thread that started the child.)
struct ParentWatch {
    private let shell: ChildProcess
    private let writeEnd: Int32

    /// Arguments: the server's process id, the data directory, the socket directory to remove or nothing, the signal, and
    /// `remove` where the data go too. The id is compared with the server's own file, which it removes when it ends: a
    /// number that was given to another process is never signalled, and a dead process that nobody has waited for does
    /// not count as running.
    private static let script = """
        while read -r _; do :; done
        runs() { [ "$(head -n 1 "$2/postmaster.pid" 2>/dev/null)" = "$1" ] && kill -0 "$1" 2>/dev/null; }
        runs "$1" "$2" && kill -s "$4" "$1"
        tries=0
        while runs "$1" "$2" && [ "$tries" -lt 600 ]; do sleep 0.1; tries=$((tries + 1)); done
        [ "$5" = remove ] && rm -rf "$2"
        [ -n "$3" ] && rm -rf "$3"
        exit 0
        """

    init(
        server: Int32,
        dataDirectory: String,
        socketDirectoryToRemove: String?,
        isDurable: Bool,
        account: ServerAccount
    ) throws {
        var ends: [Int32] = [0, 0]
        guard unsafe pipe(&ends) == 0 else { throw EmbeddedPostgresError.system(action: "pipe", errno: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        let command =
            account.commandPrefix + [
                "/bin/sh", "-c", Self.script, "sh", String(server), dataDirectory, socketDirectoryToRemove ?? "",
                isDurable ? "INT" : "QUIT", isDurable ? "keep" : "remove",
            ]
        do {
            shell = try ChildProcess.start(command, input: ends[0])
        } catch {
            close(ends[1])
            throw error
        }
        writeEnd = ends[1]
    }

    /// Calls the watch off.
    func cancel() {
        kill(shell.processID, SIGKILL)
        _ = shell.wait()
        close(writeEnd)
    }
}
