import Foundation
import Glibc

/// The account the server runs as: this process's own, or, for root, which PostgreSQL refuses, an unprivileged one.
struct ServerAccount: Sendable {
    let name: String
    let userID: uid_t
    let groupID: gid_t
    /// What to put in front of a command so that it runs as this account; empty for this process's own.
    let commandPrefix: [String]

    /// For root: `postgres`, which the distribution's package makes, else `nobody`; through `setpriv` (util-linux), which
    /// replaces itself by the command, so that the process id stays the server's.
    static func current() throws -> ServerAccount {
        guard geteuid() == 0 else {
            return ServerAccount(name: "this user", userID: geteuid(), groupID: getegid(), commandPrefix: [])
        }
        guard let (name, userID, groupID) = lookUp("postgres") ?? lookUp("nobody") else {
            throw EmbeddedPostgresError.noUnprivilegedUser(reason: "there is neither a user postgres nor a user nobody")
        }
        guard let setpriv = program("setpriv") else {
            throw EmbeddedPostgresError.noUnprivilegedUser(reason: "the program setpriv (util-linux) was not found")
        }
        let prefix = [setpriv, "--reuid=\(userID)", "--regid=\(groupID)", "--clear-groups", "--"]
        return ServerAccount(name: name, userID: userID, groupID: groupID, commandPrefix: prefix)
    }

    private static func lookUp(_ name: String) -> (String, uid_t, gid_t)? {
        var entry = unsafe passwd()
        var found: UnsafeMutablePointer<passwd>?
        var strings = [CChar](repeating: 0, count: 16_384)
        guard unsafe getpwnam_r(name, &entry, &strings, strings.count, &found) == 0, unsafe found != nil else {
            return nil
        }
        return unsafe (name, entry.pw_uid, entry.pw_gid)
    }

    private static func program(_ name: String) -> String? {
        ["/usr/bin", "/usr/sbin", "/bin", "/sbin"].map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    /// Gives a file or directory to this account, where it is not its own already.
    func takeOwnership(of path: String) throws {
        guard !commandPrefix.isEmpty else { return }
        guard unsafe chown(path, userID, groupID) == 0 else {
            throw EmbeddedPostgresError.system(action: "chown \(path)", errno: errno)
        }
    }

    /// Makes sure that this account may pass through every directory above `path`.
    ///
    /// The system itself is asked, by a process of that account: groups and access lists count too.
    func checkCanReach(_ path: String) throws {
        guard !commandPrefix.isEmpty else { return }
        var directory = "/"
        for component in URL(fileURLWithPath: path).deletingLastPathComponent().pathComponents.dropFirst() {
            directory += (directory == "/" ? "" : "/") + component
            if try ChildProcess.run(commandPrefix + ["/usr/bin/test", "-x", directory]).status != 0 {
                throw EmbeddedPostgresError.dataDirectoryNotReachable(path: path, blockedBy: directory, user: name)
            }
        }
    }
}
