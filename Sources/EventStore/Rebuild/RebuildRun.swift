import EntitlementDomain
import Foundation
import Postgres
import Synchronization

/// One run of a rebuild: the log sorted into buckets, and which of them are folded and written. What a stopped run left
/// is found again.
struct RebuildRun: Sendable {
    var scan: LogScan
    /// Where the run's files are.
    var directory: RebuildDirectory
    /// The buckets whose lines are written already.
    var written: Set<Int> = []
    var isResumed = false

    private static let find = PreparedStatement(
        """
        SELECT r.run_id, r.epoch, r.position, r.hash, r.catalogs, r.bucket_count, r.file_bytes,
            (SELECT array_agg(bucket::bigint) FROM \(GenerationTables.schema).rebuild_buckets)
        FROM \(GenerationTables.schema).rebuild r
        JOIN entitled.log_head h ON h.epoch = r.epoch
        LEFT JOIN entitled.events e ON e.position = r.position
        WHERE r.fingerprint = $1::text AND e.hash = r.hash
        """
    )

    private static let note = PreparedStatement(
        """
        INSERT INTO \(GenerationTables.schema).rebuild
            (run_id, fingerprint, epoch, position, hash, catalogs, bucket_count, file_bytes)
        VALUES ($1::uuid, $2::text, $3::integer, $4::bigint, $5::bytea, $6::bigint[], $7::integer, $8::bigint)
        """
    )

    /// What a run with the same rules left, when its files are all there; nil: start over.
    static func resumed(
        fingerprint: String,
        in parent: URL,
        settings: (URL) -> LogScan.Settings,
        _ session: PostgresSession
    ) throws -> RebuildRun? {
        let isThere = try session.query(
            "SELECT to_regclass('\(GenerationTables.schema).rebuild_buckets') IS NOT NULL"
        )
        guard try isThere.bool(0, 0) else { return nil }
        // A session of the stopped run may be about to commit a bucket: who has written one holds a lock that this waits for.
        try session.transaction { session in
            try session.execute("LOCK TABLE \(GenerationTables.schema).rebuild_buckets IN SHARE MODE")
        }
        let found = try session.query(find, [.text(fingerprint)])
        guard found.rowCount == 1 else { return nil }
        let prefix = try RebuildDirectory.prefix(session)
        let directory = RebuildDirectory(of: try found.uuid(0, 0), prefix: prefix, in: parent)
        try removeFiles(of: "touches", in: directory.url)
        guard try fileBytes(in: directory.url) == found.int64(0, 6) else { return nil }
        RebuildDirectory.removeOthers(than: directory, prefix: prefix, in: parent)
        let head = LogHead(
            epoch: Int(try found.int32(0, 1)),
            position: try found.int64(0, 2),
            hash: try found.bytes(0, 3)
        )
        let catalogs = try found.int64Array(0, 4).compactMap(\.self)
        let scan = LogScan(
            LogExtent(head: head, recordedAt: 0, catalogPosition: catalogs.last ?? 0, first: 1, last: head.position),
            settings: settings(directory.url),
            bucketCount: Int(try found.int32(0, 5)),
            catalogPositions: catalogs
        )
        let written = try found.optionalInt64Array(0, 7)?.compactMap { $0.map(Int.init) } ?? []
        return RebuildRun(scan: scan, directory: directory, written: Set(written), isResumed: true)
    }

    /// Reads the log on several sessions. When it went to files, the run is noted, so that it can be resumed.
    static func fresh(
        fingerprint: String,
        in parent: URL,
        settings: @escaping @Sendable (URL) -> LogScan.Settings,
        sessions: Int,
        _ configuration: PostgresConfiguration,
        _ control: PostgresThread,
        progress: @escaping @Sendable (AuditProgress) -> Void
    ) async throws -> RebuildRun {
        var random = SystemRandomNumberGenerator()
        let id = UUIDBytes(high: random.next(), low: random.next())
        let prefix = try await control.run { try RebuildDirectory.prefix($0) }
        let directory = RebuildDirectory(of: id, prefix: prefix, in: parent)
        RebuildDirectory.removeOthers(than: directory, prefix: prefix, in: parent)
        let scan: LogScan
        do {
            scan = try await SnapshotTeam.run(
                configuration,
                count: sessions,
                prepare: { session in
                    let extent = try LogExtent.read(session)
                    try extent.requireBeginning()
                    return LogScan(extent, settings: settings(directory.url))
                },
                body: { session, scan in try scan.read(session, progress: progress) }
            )
        } catch {
            directory.remove()
            throw error
        }
        let run = RebuildRun(scan: scan, directory: directory)
        guard scan.lines.diskBytes + scan.accounts.diskBytes > 0 else { return run }
        try scan.lines.flush()
        try scan.accounts.flush()
        let values: [PostgresValue] = [
            .uuid(id), .text(fingerprint), .int4(Int32(scan.extent.head.epoch)), .int8(scan.extent.head.position),
            .bytea(scan.extent.head.hash), .int8Array(scan.catalogPositions), .int4(Int32(scan.bucketCount)),
            .int8(try fileBytes(in: directory.url)),
        ]
        _ = try await control.run { try $0.query(note, values).affectedRowCount }
        return run
    }

    /// Removes the run's files.
    func removeFiles() {
        directory.remove()
    }

    /// Whether a run that is stopped now can be resumed.
    var isOnDisk: Bool { isResumed || scan.lines.diskBytes + scan.accounts.diskBytes > 0 }

    private static func fileBytes(in directory: URL) throws -> Int64 {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory.path) else { return 0 }
        return try names.reduce(0) { sum, name in
            let attributes = try FileManager.default.attributesOfItem(
                atPath: directory.appendingPathComponent(name).path
            )
            return sum + ((attributes[.size] as? NSNumber)?.int64Value ?? 0)
        }
    }

    private static func removeFiles(of spill: String, in directory: URL) throws {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? []
        where name.hasPrefix(spill + "-") {
            try FileManager.default.removeItem(at: directory.appendingPathComponent(name))
        }
    }
}
