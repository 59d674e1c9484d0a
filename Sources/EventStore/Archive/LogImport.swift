package import EntitlementDomain
package import Postgres

/// Writes archives into an empty database, whole or not at all: the events with the very columns that their hashes cover,
/// the texts, the statements that are known, and the log's head. The projections are made from them by a rebuild.
package struct LogImport: Sendable {
    /// Events written together.
    var batchLength = 1_000
    /// Names of accounts kept in memory; the others are read again when an event speaks of them.
    var rememberedNames = 200_000

    /// What was written.
    package struct Report: Sendable, Hashable {
        package var position: LogPosition
        package var textCount: Int64
        package var lastHash: [UInt8]
    }

    package init() {}

    /// Runs as the owner of the database.
    ///
    /// - Parameter nextLine: the next line of the archives, without its line break, or nil at the end of one archive;
    ///   called on the session's own thread, which may throw `ArchiveCutOff`. `archiveCount` archives follow one another.
    /// - Throws: `AuditError.logNotEmpty`; `ArchiveError` for the first thing that is wrong with an archive; nothing was
    ///   written then.
    package func run(
        _ configuration: PostgresConfiguration,
        archiveCount: Int = 1,
        progress: @escaping @Sendable (AuditProgress) -> Void = { _ in },
        nextLine: @escaping @Sendable () throws -> [UInt8]?
    ) async throws -> Report {
        try await PostgresThread.withSession(configuration) { session in
            try session.transaction { session in
                var writer = ImportWriter(session, rememberedNames: rememberedNames)
                try writer.begin()
                for _ in 0..<archiveCount {
                    try read(into: &writer, progress, nextLine)
                }
                return try writer.finish()
            }
        }
    }

    private func read(
        into writer: inout ImportWriter,
        _ progress: (AuditProgress) -> Void,
        _ nextLine: () throws -> [UInt8]?
    ) throws {
        var reader = ArchiveReader()
        func next() throws -> [UInt8]? {
            do {
                return try nextLine()
            } catch let cutOff as ArchiveCutOff {
                throw reader.error(cutOff)
            }
        }
        while let line = try next() {
            guard let event = try reader.take(line) else {
                if let header = reader.header, reader.count == 0, !reader.isEnded { try writer.follow(header) }
                continue
            }
            writer.add(event)
            if writer.pendingCount >= batchLength {
                try writer.flush()
                if let header = reader.header {
                    progress(
                        AuditProgress(
                            phase: "writing events",
                            done: reader.count,
                            total: header.to - header.from + 1
                        )
                    )
                }
            }
        }
        try reader.finish()
        writer.note(reader.erased)
        try writer.flush()
    }
}
