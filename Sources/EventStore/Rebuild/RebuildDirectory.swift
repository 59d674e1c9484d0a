import EntitlementDomain
import Foundation
import Glibc
import Postgres

/// The directory of one run's files, locked as long as the run's process lives.
///
/// A run that was killed before it could be resumed leaves its directory behind; the next run for the same database finds it
/// by its name, and that nobody has locked it, and removes it.
final class RebuildDirectory: Sendable {
    let url: URL
    /// Nil: there is no directory to lock, because none can be made; then there is nothing to be removed either.
    private let lock: FileHandle?

    private static let lockName = "lock"

    /// $1 nothing -> what tells this database from others on this machine.
    private static let findTag = PreparedStatement(
        """
        SELECT encode(substr(sha256(convert_to(c.system_identifier || ' ' || d.oid, 'UTF8')), 1, 8), 'hex')
        FROM pg_control_system() c, pg_database d WHERE d.datname = current_database()
        """
    )

    /// The beginning of the names of a database's directories.
    static func prefix(_ session: PostgresSession) throws -> String {
        "entitled-rebuild-\(try session.query(findTag).text(0, 0))-"
    }

    /// Makes the directory of a run unless it is there, and locks it.
    init(of run: UUIDBytes, prefix: String, in parent: URL) {
        url = parent.appendingPathComponent("\(prefix)\(AccountID(run))", isDirectory: true)
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        lock = Self.lock(url)
    }

    /// Removes the directory with all that is in it.
    func remove() {
        try? FileManager.default.removeItem(at: url)
    }

    /// Removes what runs of the same database left that nobody can resume. The caller holds the rebuild's lock.
    ///
    /// - Parameter kept: the directory that is in use.
    static func removeOthers(than kept: RebuildDirectory, prefix: String, in parent: URL) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent.path)) ?? []
        where name.hasPrefix(prefix) && name != kept.url.lastPathComponent {
            let other = parent.appendingPathComponent(name, isDirectory: true)
            // One that is locked belongs to a copy of the database, which has the same name.
            guard let handle = lock(other) else { continue }
            try? FileManager.default.removeItem(at: other)
            try? handle.close()
        }
    }

    /// - Returns: the open file that holds the lock until it is closed; nil when another one does, or it cannot be made.
    private static func lock(_ directory: URL) -> FileHandle? {
        let path = directory.appendingPathComponent(lockName).path
        if !FileManager.default.fileExists(atPath: path) {
            _ = FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600])
        }
        guard let handle = FileHandle(forUpdatingAtPath: path) else { return nil }
        return flock(handle.fileDescriptor, LOCK_EX | LOCK_NB) == 0 ? handle : nil
    }
}
