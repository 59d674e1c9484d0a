import EntitlementDomain
package import Postgres

/// Writes a range of the log, with the signed texts behind it, as an archive: within one snapshot, part by part, whatever
/// its length.
package struct LogExport: Sendable {
    /// Nil: the first position that is there.
    package var from: Int64?
    /// Nil: the last one.
    package var to: Int64?
    /// The hash before `from`, when the events before it are in an archive alone; nil: it is read from the event before.
    package var previousHash: [UInt8]?
    /// Positions read at once.
    var chunkLength: Int64 = 1_024
    private let texts = EvidenceReader()

    /// What was written.
    package struct Report: Sendable, Hashable {
        package var from: Int64
        package var to: Int64
        package var textCount: Int64
        package var lastHash: [UInt8]
        /// Of the whole archive.
        package var digest: [UInt8]
    }

    package init(from: Int64? = nil, to: Int64? = nil) {
        self.from = from
        self.to = to
    }

    /// - Parameter write: takes the next bytes of the archive; called on the session's own thread.
    /// - Throws: `AuditError` for a range that is not there, or that does not follow from the given hash; `StoreError.failed` when an event or a text is missing: an
    ///   archive that cannot be imported is not made; the error of `write`.
    package func run(
        _ configuration: PostgresConfiguration,
        progress: @escaping @Sendable (AuditProgress) -> Void = { _ in },
        write: @escaping @Sendable ([UInt8]) throws -> Void
    ) async throws -> Report {
        try await PostgresThread.withSession(configuration) { session in
            try session.transaction(.snapshot) { try run($0, progress, write) }
        }
    }

    private func run(
        _ session: PostgresSession,
        _ progress: (AuditProgress) -> Void,
        _ write: ([UInt8]) throws -> Void
    ) throws -> Report {
        try session.execute("SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off")
        let extent = try LogExtent.read(session)
        let last = extent.head.position
        let from = from ?? extent.first ?? 1
        let to = to ?? last
        guard from >= 1, to <= last, from <= to || last == 0 else {
            throw AuditError.rangeOutside(from: from, to: to, last: last)
        }
        var writer = ArchiveWriter(previousHash: try previousHash(before: from, session))
        try write(writer.header(epoch: extent.head.epoch, from: from, to: to))
        var next = from
        while next <= to {
            let end = min(next + chunkLength - 1, to)
            try write(lines(next...end, &writer, session))
            progress(AuditProgress(phase: "writing events", done: end - from + 1, total: to - from + 1))
            next = end + 1
        }
        try write(writer.trailer(try ErasedAccounts.read(session)))
        return Report(from: from, to: to, textCount: writer.textCount, lastHash: writer.lastHash, digest: writer.digest)
    }

    private func previousHash(before from: Int64, _ session: PostgresSession) throws -> [UInt8] {
        if let previousHash { return previousHash }
        if from == 1 { return ChainWalk.zeros }
        let found = try session.query(
            "SELECT hash FROM entitled.events WHERE position = $1::bigint",
            [.int8(from - 1)]
        )
        guard found.rowCount == 1 else { throw AuditError.previousHashNeeded(from: from) }
        return try found.bytes(0, 0)
    }

    private func lines(
        _ range: ClosedRange<Int64>,
        _ writer: inout ArchiveWriter,
        _ session: PostgresSession
    ) throws -> [UInt8] {
        var events: [(bytes: [UInt8], digests: [[UInt8]], mentions: Set<AccountID>)] = []
        var expected = range.lowerBound
        try session.copyOutRows(
            """
            COPY (SELECT * FROM entitled.events WHERE position BETWEEN \(range.lowerBound) AND \(range.upperBound)
                ORDER BY position) TO STDOUT WITH (FORMAT binary)
            """
        ) { row in
            guard row.count == EventColumns.hash + 1, try row.int64(0) == expected else {
                throw StoreError.failed("the event of position \(expected) is missing")
            }
            if previousHash != nil, writer.count == 0 {
                guard try ChainWalk.hash(row, after: writer.lastHash) == row.bytes(EventColumns.hash) else {
                    throw AuditError.previousHashWrong(from: expected)
                }
            }
            let digests = try writer.newDigests(row)
            events.append((try writer.event(row), digests, try writer.mentions(row)))
            expected += 1
        }
        guard expected > range.upperBound else {
            throw StoreError.failed("the event of position \(expected) is missing")
        }
        let texts = try texts.read(Set(events.flatMap(\.digests)), session)
        let accounts = try NameReader.accounts(events.reduce(into: []) { $0.formUnion($1.mentions) }, session)
        var lines: [UInt8] = []
        for (offset, event) in events.enumerated() {
            let position = range.lowerBound + Int64(offset)
            var readable: [(digest: [UInt8], text: String)] = []
            var erased: [(digest: [UInt8], pseudonym: AccountID)] = []
            for digest in event.digests {
                switch texts[digest] {
                case .success(let text): readable.append((digest, String(decoding: text, as: UTF8.self)))
                case .failure(let error):
                    guard let pseudonym = error.erased, try isErased(pseudonym, session) else {
                        throw StoreError.failed("position \(position): \(error)")
                    }
                    erased.append((digest, pseudonym))
                case nil: throw StoreError.failed("a signed text of position \(position) is missing")
                }
            }
            lines += writer.line(
                event.bytes,
                texts: readable,
                erasedTexts: erased,
                accounts: event.mentions.sorted().compactMap { id in accounts[id].map { (id, $0) } }
            )
        }
        return lines
    }

    /// $1 pseudonym.
    private static let findErasure = PreparedStatement(
        "SELECT FROM entitled.events WHERE account = $1::uuid AND type = '\(EventType.accountErased.rawValue)' LIMIT 1"
    )

    private func isErased(_ pseudonym: AccountID, _ session: PostgresSession) throws -> Bool {
        if pseudonym == .erased { return true }
        return try !session.query(Self.findErasure, [.uuid(pseudonym.uuid)]).isEmpty
    }

}
