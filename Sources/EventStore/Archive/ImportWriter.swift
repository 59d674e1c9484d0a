import EntitlementDomain
import Postgres

/// Writes the events of archives within one transaction, in batches.
struct ImportWriter {
    private let session: PostgresSession
    private let codec = EvidenceCodec()
    private var pending: [ArchiveReader.Event] = []
    private var position: Int64 = 0
    private var lastHash = ChainWalk.zeros
    private var recordedAt = Int64.min
    private var catalogPosition: Int64 = 0
    private var epoch = 1
    private var textCount: Int64 = 0
    private var erased: ErasedAccounts?
    /// Texts are sealed with the keys that the names get here.
    private var names: ImportNames

    private static let hashLength: [UInt8] = [0, 0, 0, 32]

    /// - Parameter rememberedNames: the most names of accounts that are kept in memory.
    init(_ session: PostgresSession, rememberedNames: Int) {
        self.session = session
        names = ImportNames(capacity: rememberedNames)
    }

    var pendingCount: Int { pending.count }

    /// Takes the log's lock.
    ///
    /// - Throws: `AuditError.logNotEmpty`.
    func begin() throws {
        let head = try session.query(
            """
            SELECT h.position, EXISTS (SELECT FROM entitled.events), EXISTS (SELECT FROM entitled.evidence),
                EXISTS (SELECT FROM entitled.statements)
            FROM entitled.log_head h FOR UPDATE OF h
            """
        )
        let isEmpty = try head.int64(0, 0) == 0 && (1...3).allSatisfy { try !head.bool(0, $0) }
        guard isEmpty else { throw AuditError.logNotEmpty(position: try head.int64(0, 0)) }
        try session.execute(
            """
            CREATE TEMPORARY TABLE import_evidence (digest bytea, content bytea) ON COMMIT DROP;
            CREATE TEMPORARY TABLE import_statements (statement_id bytea, position bigint) ON COMMIT DROP;
            CREATE TEMPORARY TABLE import_names (LIKE entitled.account_names) ON COMMIT DROP
            """
        )
    }

    /// Checks that an archive follows what was written so far.
    mutating func follow(_ header: ArchiveReader.Header) throws {
        guard header.from == position + 1, header.previousHash == lastHash else {
            throw ArchiveError(
                line: 1,
                position: header.from,
                message: position == 0
                    ? "the archive does not begin with position 1; name the archives before it as well, in order"
                    : "the archive does not follow the one before it, which ends with position \(position)"
            )
        }
        epoch = header.epoch
    }

    /// Notes which accounts were erased; the last archive knows them all.
    mutating func note(_ erased: ErasedAccounts?) {
        self.erased = erased ?? self.erased
    }

    mutating func add(_ event: ArchiveReader.Event) {
        pending.append(event)
        position = event.position
        lastHash = event.hash
        recordedAt = max(recordedAt, event.recordedAt)
        if event.isCatalog { catalogPosition = event.position }
    }

    /// Writes what was added.
    mutating func flush() throws {
        guard let first = pending.first, let last = pending.last else { return }
        let span = AppendStatements.positionsPerPartition
        for number in first.position / span...last.position / span {
            try session.query(AppendStatements.ensurePartition, [.int8(max(number * span, 1))])
        }
        try session.copyIn("COPY entitled.events FROM STDIN WITH (FORMAT binary)") { writer in
            for event in pending {
                try writer.writeEncodedRow(
                    fieldCount: EventRow.columnCount + 1,
                    event.columns,
                    Self.hashLength,
                    event.hash
                )
            }
        }
        let new = try names.prepare(pending, session)
        var chains: [CertificateChain.ID: [UInt8]] = [:]
        try session.copyIn("COPY import_evidence FROM STDIN WITH (FORMAT binary)") { writer in
            for event in pending {
                for (digest, text) in event.texts {
                    var row = KeptRow()
                    let stored = codec.encode(text)
                    for chain in stored.chains { chains[chain.id] = chain.text }
                    row.append(digest)
                    row.append(
                        try EvidenceSeal.seal(stored.bytes, for: event.tokens.sorted()) { names.evidenceKey(of: $0) }
                    )
                    try writer.writeEncodedRow(fieldCount: 2, row.rows.bytes)
                }
                for (digest, pseudonym) in event.erasedTexts {
                    var row = KeptRow()
                    row.append(digest)
                    row.append(EvidenceSeal.empty(for: pseudonym))
                    try writer.writeEncodedRow(fieldCount: 2, row.rows.bytes)
                }
            }
        }
        try session.copyIn("COPY import_statements FROM STDIN WITH (FORMAT binary)") { writer in
            for event in pending where !event.statementID.isEmpty {
                try writer.writeRow([.bytea(event.statementID), .int8(event.position)])
            }
        }
        try session.query(
            AppendStatements.insertChains,
            [.byteaArray(chains.keys.map(\.bytes)), .byteaArray(chains.values.map(\.self))]
        )
        try session.copyIn("COPY import_names FROM STDIN WITH (FORMAT binary)") { writer in
            for name in new {
                try writer.writeRow([
                    .uuid(name.key.account.uuid), .text(name.key.environment.rawValue), .uuid(name.pseudonym.uuid),
                    .bytea(name.evidenceKey),
                ])
            }
        }
        let written = try session.query(
            "INSERT INTO entitled.evidence SELECT digest, content FROM import_evidence ON CONFLICT DO NOTHING"
        )
        textCount += Int64(written.affectedRowCount)
        try session.execute(
            """
            INSERT INTO entitled.statements (statement_id, position)
                SELECT DISTINCT ON (statement_id) statement_id, position FROM import_statements
                ORDER BY statement_id, position ON CONFLICT DO NOTHING;
            INSERT INTO entitled.account_names SELECT * FROM import_names ON CONFLICT DO NOTHING;
            TRUNCATE import_evidence, import_statements, import_names
            """
        )
        pending.removeAll(keepingCapacity: true)
        names.forgetSome()
    }

    /// Checks that no text is missing, forgets the accounts that were erased after an archive was written, and moves the
    /// log's head.
    func finish() throws -> LogImport.Report {
        let missing = try session.query(
            """
            SELECT min(e.position) FROM entitled.events e CROSS JOIN LATERAL unnest(e.evidence_digests) AS d (digest)
            WHERE NOT EXISTS (SELECT FROM entitled.evidence v WHERE v.digest = d.digest)
            """
        )
        if let position = try missing.optionalInt64(0, 0) {
            throw ArchiveError(
                line: 1,
                position: position,
                message: "a signed text that the event names is in no archive"
            )
        }
        try erased?.insert(session)
        try session.execute(
            """
            DELETE FROM entitled.account_names n USING entitled.events e
            WHERE e.account = n.pseudonym AND e.type = '\(EventType.accountErased.rawValue)'
            """
        )
        try session.query(
            """
            UPDATE entitled.log_head SET position = $1::bigint, hash = $2::bytea, catalog_position = $3::bigint,
                recorded_at = $4::timestamptz, epoch = $5::integer, timeline = 0
            """,
            [
                .int8(position), .bytea(lastHash), .int8(catalogPosition), .timestamptz(recordedAt),
                .int4(Int32(clamping: epoch)),
            ]
        )
        return LogImport.Report(
            position: LogPosition(epoch: epoch, number: position),
            textCount: textCount,
            lastHash: lastHash
        )
    }
}
