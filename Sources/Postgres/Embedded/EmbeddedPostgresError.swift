/// Why a private server could not be set up, started or stopped.
package enum EmbeddedPostgresError: Error, Sendable {
    /// PostgreSQL's programs were not found in the places that were searched.
    case programsNotFound(searched: [String])
    /// The process runs as root, which PostgreSQL refuses, and there is no way to run it as somebody else.
    case noUnprivilegedUser(reason: String)
    /// The account the server runs as cannot reach the data directory: a directory above it is closed to it.
    case dataDirectoryNotReachable(path: String, blockedBy: String, user: String)
    /// The path exists and holds something that is not a cluster.
    case dataDirectoryNotEmpty(path: String)
    /// The cluster was made by another major version than the programs found.
    case versionMismatch(path: String, dataVersion: String, programVersion: String)
    /// A server runs on this data directory already.
    case dataDirectoryInUse(path: String, processID: Int32)
    /// A program failed; `output` is what it wrote.
    case programFailed(program: String, status: Int32, output: String)
    /// The server ended while it started; `log` is the end of its log.
    case startFailed(log: String)
    /// The server did not start, or did not stop, in time; `log` is the end of its log.
    case timedOut(action: String, log: String)
    /// A call of the operating system failed.
    case system(action: String, errno: Int32)
    /// The call needs a running server, or a stopped one.
    case wrongState(String)
}

extension EmbeddedPostgresError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .programsNotFound(let searched):
            "PostgreSQL's server programs (initdb, postgres) were not found in \(searched.joined(separator: ", ")); "
                + "install the package postgresql or set ENTITLED_PG_BIN to their directory"
        case .noUnprivilegedUser(let reason):
            "PostgreSQL does not run as root, and switching to another account is not possible: \(reason)"
        case .dataDirectoryNotReachable(let path, let blockedBy, let user):
            "the account \(user), which the server runs as, cannot reach \(path): \(blockedBy) is closed to it; "
                + "choose a data directory elsewhere or open that directory for passing through (chmod o+x)"
        case .dataDirectoryNotEmpty(let path):
            "\(path) is not empty and holds no PostgreSQL cluster; choose another data directory"
        case .versionMismatch(let path, let data, let program):
            "\(path) was made by PostgreSQL \(data), the programs found are of PostgreSQL \(program)"
        case .dataDirectoryInUse(let path, let processID):
            "a PostgreSQL server (process \(processID)) runs on \(path) already"
        case .programFailed(let program, let status, let output):
            "\(program) failed with status \(status): \(output)"
        case .startFailed(let log):
            "the PostgreSQL server ended while it started: \(log)"
        case .timedOut(let action, let log):
            "the PostgreSQL server did not \(action) in time: \(log)"
        case .system(let action, let errno):
            "\(action) failed: errno \(errno)"
        case .wrongState(let message):
            message
        }
    }
}
