import EntitlementDomain
import Postgres
import X509

/// Checks one range of positions on one session. Ranges need nothing of each other but the stored hash before their
/// first event, so they are checked side by side.
struct ChainChunk: Sendable {
    /// What was found in a range.
    struct Outcome: Sendable {
        var range: ClosedRange<Int64>
        var eventCount: Int64 = 0
        var evidenceCount: Int64 = 0
        var signatureCount: Int64 = 0
        var unverifiedCount: Int64 = 0
        var erasedCount: Int64 = 0
        /// The hash that the range was checked after.
        var startHash: [UInt8]?
        /// The stored hash of the last event reached.
        var endHash: [UInt8]?
        var problem: ChainProblem?
    }

    var checksEvidence: Bool
    var evidenceCheck: EvidenceCheck?
    let chains: ChainTexts
    private let codec = EvidenceCodec()

    init(checksEvidence: Bool, evidenceCheck: EvidenceCheck?, chains: ChainTexts) {
        self.checksEvidence = checksEvidence
        self.evidenceCheck = evidenceCheck
        self.chains = chains
    }

    /// A text as it was found: nil, it is missing.
    private struct Found {
        var position: Int64
        var digest: [UInt8]
        var content: [UInt8]?
        var source: EventSource?
        var recordedAt: Instant
        /// Whether the account that it is sealed for was erased, and the event names it, or an erased one: the text may have
        /// been stored before the erasure, and come again after it. A claim names the text of a statement that another event,
        /// which is judged by itself, has brought.
        var isErased: Bool

        var isSealed: Bool { content.flatMap { EvidenceSeal.pseudonym(in: $0) } != nil }
    }

    /// - Parameter previous: the hash before the range; nil: it is read from the row before.
    func check(
        _ range: ClosedRange<Int64>,
        after previous: [UInt8]?,
        _ session: PostgresSession
    ) throws -> Outcome {
        var outcome = Outcome(range: range, startHash: previous)
        var walk = ChainWalk(first: range.lowerBound, last: range.upperBound, previous: previous)
        try session.copyOutRows(
            """
            COPY (SELECT * FROM entitled.events WHERE position BETWEEN \(walk.expected) AND \(range.upperBound + 1)
                ORDER BY position) TO STDOUT WITH (FORMAT binary)
            """
        ) { row in
            try walk.take(row)
            if outcome.startHash == nil { outcome.startHash = walk.previous }
        }
        walk.finish()
        outcome.eventCount = walk.eventCount
        outcome.endHash = walk.previous
        outcome.problem = walk.problem
        if walk.problem?.kind == .positionMissing {
            // The gap may reach beyond this range.
            let next = try session.query(
                "SELECT coalesce(min(position), $2::bigint + 1) FROM entitled.events WHERE position >= $1::bigint",
                [.int8(walk.expected), .int8(range.upperBound)]
            )
            outcome.problem = ChainWalk.missing(walk.expected...(try next.int64(0, 0) - 1))
        }
        let last = walk.problem.map { $0.position - 1 } ?? range.upperBound
        if checksEvidence, last >= range.lowerBound {
            if let problem = try checkEvidence(range.lowerBound...last, &outcome, session) { outcome.problem = problem }
        }
        return outcome
    }

    /// SQL: whether the account behind pseudonym `s.pseudonym`, whose name would be `n`, was erased, and event `e` names it,
    /// or an erased one.
    private static let isErased = """
        s.pseudonym IS NOT NULL AND n.pseudonym IS NULL
            AND (coalesce(e.app_account_token IN (s.pseudonym, '\(AccountID.erased)'), false)
                OR position(s.pseudonym::text IN e.payload::text) > 0
                OR position('\(AccountID.erased)' IN e.payload::text) > 0
                OR e.type IN ('\(EventType.accountLinked.rawValue)', '\(EventType.accountTransferred.rawValue)'))
            AND (s.pseudonym = '\(AccountID.erased)' OR EXISTS (
                SELECT FROM entitled.events x
                WHERE x.account = s.pseudonym AND x.type = '\(EventType.accountErased.rawValue)'))
        """

    /// $1 position, $2 pseudonym of a seal inside of another one -> whether `isErased`.
    private static let isErasedInside = PreparedStatement(
        """
        SELECT \(isErased) FROM entitled.events e CROSS JOIN (SELECT $2::uuid AS pseudonym) s
        LEFT JOIN entitled.account_names n ON n.pseudonym = s.pseudonym WHERE e.position = $1::bigint
        """
    )

    /// The texts that the events of a range name, each with the first event that does. Nested loops by index alone: no
    /// plan that reads the whole table for each range.
    private func checkEvidence(
        _ range: ClosedRange<Int64>,
        _ outcome: inout Outcome,
        _ session: PostgresSession
    ) throws -> ChainProblem? {
        try session.transaction(.snapshot) { session in
            try session.execute(
                "SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off; SET LOCAL jit = off"
            )
            try chains.loadSome(session)
            var problem: ChainProblem?
            var seen: [UInt8] = []
            // Those of chains that are not in memory wait until the session is free to ask for them.
            var waiting: [Found] = []
            try session.copyOutRows(
                """
                COPY (
                    SELECT e.position, d.digest, v.content, e.source, e.recorded_at, n.evidence_key,
                        \(Self.isErased)
                    FROM entitled.events e
                    CROSS JOIN LATERAL unnest(e.evidence_digests) WITH ORDINALITY AS d (digest, place)
                    LEFT JOIN entitled.evidence v ON v.digest = d.digest
                    CROSS JOIN LATERAL (SELECT \(EvidenceSeal.pseudonym(ofContent: "v.content")) AS pseudonym) s
                    LEFT JOIN entitled.account_names n ON n.pseudonym = s.pseudonym
                    WHERE e.position BETWEEN \(range.lowerBound) AND \(range.upperBound)
                    ORDER BY e.position, d.place
                ) TO STDOUT WITH (FORMAT binary)
                """
            ) { row in
                if problem != nil { return }
                let digest = try row.bytes(1)
                // A claim's event names the text of the statement right before it.
                if digest == seen { return }
                seen = digest
                var content = try row.optionalBytes(2)
                if let sealed = content, let key = try row.optionalBytes(5) {
                    content = EvidenceSeal.open(sealed, key: key) ?? sealed
                }
                let found = Found(
                    position: try row.int64(0),
                    digest: digest,
                    content: content,
                    source: EventSource(rawValue: try row.text(3)),
                    recordedAt: Instant(microseconds: try row.timestamp(4)),
                    isErased: try row.bool(6)
                )
                if found.isErased {
                    outcome.erasedCount += 1
                } else if found.isSealed {
                    waiting.append(found)
                } else if let texts = chains.texts(named(by: found)) {
                    problem = check(found, texts, &outcome)
                } else {
                    waiting.append(found)
                }
            }
            for found in waiting {
                if let problem, problem.position <= found.position { break }
                var found = found
                if found.isSealed, let content = found.content {
                    var contents = [content]
                    try EvidenceSeal.open(&contents, session)
                    found.content = contents[0]
                    // A text that names two accounts is sealed twice, and the inner one may be the one that was erased.
                    if let pseudonym = EvidenceSeal.pseudonym(in: contents[0]) {
                        let answer = try session.query(
                            Self.isErasedInside,
                            [.int8(found.position), .uuid(pseudonym.uuid)]
                        )
                        if try !answer.isEmpty && answer.bool(0, 0) {
                            outcome.erasedCount += 1
                            continue
                        }
                    }
                }
                let texts = try chains.load(named(by: found), session)
                if let earlier = check(found, texts, &outcome) { problem = earlier }
            }
            return problem
        }
    }

    private func named(by found: Found) -> [CertificateChain.ID] {
        guard let content = found.content else { return [] }
        // What is cut off is reported when it is read.
        return (try? EvidenceCodec.chains(in: content.span)) ?? []
    }

    private func check(
        _ found: Found,
        _ texts: [CertificateChain.ID: [UInt8]],
        _ outcome: inout Outcome
    ) -> ChainProblem? {
        let position = found.position
        let name = Hexadecimal.text(found.digest)
        guard let content = found.content else {
            return ChainProblem(
                position: position,
                kind: .evidenceMissing,
                message: "the signed text \(name) is missing in table evidence"
            )
        }
        if let pseudonym = EvidenceSeal.pseudonym(in: content) {
            return ChainProblem(
                position: position,
                kind: .evidenceMismatch,
                message: "the signed text \(name) cannot be opened: \(EvidenceError(sealedFor: pseudonym).reason)"
            )
        }
        let text: [UInt8]
        do {
            text = try codec.decode(content.span) { texts[$0] }
        } catch {
            return ChainProblem(
                position: position,
                kind: .evidenceMismatch,
                message: "the signed text \(name) was changed: \(error.reason)"
            )
        }
        let computed = SHA256.hash(text).bytes
        guard computed == found.digest else {
            return ChainProblem(
                position: position,
                kind: .evidenceMismatch,
                message: "the signed text \(name) was changed: its SHA-256 is \(Hexadecimal.text(computed))"
            )
        }
        outcome.evidenceCount += 1
        guard let evidenceCheck else { return nil }
        let evidence = StoredEvidence(
            position: position,
            source: found.source,
            recordedAt: found.recordedAt,
            text: text
        )
        switch evidenceCheck(evidence) {
        case .good(let signatures): outcome.signatureCount += Int64(signatures)
        case .unknownKind: outcome.unverifiedCount += 1
        case .bad(let reason):
            return ChainProblem(
                position: position,
                kind: .signatureInvalid,
                message: "the signed text \(name) does not verify: \(reason)"
            )
        }
        return nil
    }
}
