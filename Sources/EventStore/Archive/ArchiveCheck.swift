/// Checks an archive without a database: that it is the one that was written, from its first line to its last.
package struct ArchiveCheck {
    private var reader = ArchiveReader()

    package init() {}

    /// Takes the next line, without its line break.
    package mutating func take(_ line: [UInt8]) throws(ArchiveError) {
        _ = try reader.take(line)
    }

    /// The range that the archive holds and its last hash.
    ///
    /// - Throws: when the archive was cut off.
    package func finish() throws(ArchiveError) -> LogExport.Report {
        try reader.finish()
        let from = reader.header?.from ?? 1
        return LogExport.Report(
            from: from,
            to: from + reader.count - 1,
            textCount: reader.textCount,
            lastHash: reader.lastHash,
            digest: reader.digest
        )
    }

    /// Says behind which line and position a source of lines ended too early.
    package func error(_ cutOff: ArchiveCutOff) -> ArchiveError { reader.error(cutOff) }
}
