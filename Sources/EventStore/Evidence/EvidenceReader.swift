import Postgres

/// Reads stored texts by their digests.
struct EvidenceReader: Sendable {
    private let codec = EvidenceCodec()
    private let chains = ChainTexts()

    private static let findEvidence = PreparedStatement(
        "SELECT digest, content FROM entitled.evidence WHERE digest = ANY ($1::bytea[])"
    )

    /// The texts that are stored under the digests, or why one cannot be read. Whether a text has its digest is for the
    /// caller to check.
    func read(
        _ digests: Set<[UInt8]>,
        _ session: PostgresSession
    ) throws -> [[UInt8]: Result<[UInt8], EvidenceError>] {
        if digests.isEmpty { return [:] }
        let found = try session.query(Self.findEvidence, [.byteaArray(Array(digests))])
        var opened = try found.rows.map { try found.bytes($0, 1) }
        try EvidenceSeal.open(&opened, session)
        let contents = try found.rows.map { (digest: try found.bytes($0, 0), bytes: opened[$0]) }
        // What is cut off is reported when it is read.
        let named = Set(contents.flatMap { (try? EvidenceCodec.chains(in: $0.bytes.span)) ?? [] })
        let chains = try chains.load(Array(named), session)
        var texts: [[UInt8]: Result<[UInt8], EvidenceError>] = [:]
        for content in contents {
            texts[content.digest] = Result { () throws(EvidenceError) in
                if let pseudonym = EvidenceSeal.pseudonym(in: content.bytes) {
                    throw EvidenceError(sealedFor: pseudonym)
                }
                return try codec.decode(content.bytes.span) { chains[$0] }
            }
        }
        return texts
    }
}
