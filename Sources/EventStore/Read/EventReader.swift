import EntitlementDomain
import Postgres

/// Lists events in log order.
struct EventReader {
    private static let columns = """
        e.position, e.event_id, e.type, e.store, e.environment, e.bundle_id, e.line_id, e.transaction_id, e.account,
        e.signed_at, e.recorded_at, e.source, e.notification_type, e.notification_subtype, e.evidence_digests,
        e.payload, e.hash, e.command_id
        """

    private static let head = PreparedStatement("SELECT epoch, position FROM entitled.log_head")

    /// Which rows: $1 after, $2 up to, $4 dated up to or null.
    private static let places = """
        e.position > $1::bigint AND e.position <= $2::bigint
        AND ($4::timestamptz IS NULL OR coalesce(e.signed_at, e.recorded_at) <= $4::timestamptz)
        """

    /// And $3 environment.
    private static let conditions = "e.environment = $3::text AND \(places)"

    private static func ordered(_ rows: String, newest: Bool = false) -> PreparedStatement {
        PreparedStatement(
            "SELECT \(columns) FROM (\(rows)) e ORDER BY e.position \(newest ? "DESC" : "ASC") LIMIT $5::bigint"
        )
    }

    /// $3 environment or null.
    private static let all = ordered(
        "SELECT e.* FROM entitled.events e WHERE ($3::text IS NULL OR e.environment = $3::text) AND \(places)"
    )

    /// $6 line.
    private static let rowsOfLine = "SELECT e.* FROM entitled.events e WHERE e.line_id = $6::text AND \(conditions)"
    private static let ofLine = ordered(rowsOfLine)
    private static let newestOfLine = ordered(rowsOfLine, newest: true)

    private static let pseudonym = NameStatements.pseudonym(of: "$6::uuid", in: "$3::text")

    /// $6 account.
    private static let ofAccount = ordered(
        """
        SELECT e.* FROM entitled.lines l JOIN entitled.events e
            ON e.line_id = l.line_id AND e.environment = l.environment AND e.bundle_id = l.bundle_id
            AND e.store = l.store AND e.ownership = l.ownership
        WHERE l.owner = \(pseudonym) AND l.environment = $3::text AND \(conditions)
        UNION
        SELECT e.* FROM entitled.events e WHERE e.account = \(pseudonym) AND \(conditions)
        """
    )

    /// $6 account; $7 to $10 its lines.
    private static let rowsOfAccountAndLines = """
        SELECT e.* FROM unnest($7::text[], $8::text[], $9::text[], $10::text[]) AS l (line_id, bundle_id, store, ownership)
        JOIN entitled.events e ON e.line_id = l.line_id AND e.bundle_id = l.bundle_id
            AND e.store = l.store AND e.ownership = l.ownership
        WHERE \(conditions)
        UNION
        SELECT e.* FROM entitled.events e WHERE e.account = \(pseudonym) AND \(conditions)
        """
    private static let ofAccountAndLines = ordered(rowsOfAccountAndLines)
    private static let newestOfAccountAndLines = ordered(rowsOfAccountAndLines, newest: true)

    func page(_ query: EventQuery, _ session: PostgresSession) throws -> EventPage {
        // The head is read last: a page never holds an event behind the position it names.
        let results = try session.pipeline([Self.step(query), PostgresPipelineStep(Self.head)])
        let head = LogPosition(epoch: Int(try results[1].int32(0, 0)), number: try results[1].int64(0, 1))
        if let after = query.after, after.epoch != head.epoch {
            throw StoreError.positionNotReached(isEpochChanged: true, current: head)
        }
        var events = try results[0].rows.prefix(query.limit).map { try Self.event(results[0], $0) }
        try name(&events, session)
        return EventPage(
            events: query.isNewest ? events.reversed() : events,
            head: head,
            hasMore: results[0].rowCount > query.limit
        )
    }

    private static func step(_ query: EventQuery) -> PostgresPipelineStep {
        let values: [PostgresValue] = [
            .int8(query.after?.number ?? 0), .int8(query.upTo?.number ?? .max),
            query.environment.map { .text($0.rawValue) } ?? .null,
            query.datedUpTo.map { .timestamptz($0.microseconds) } ?? .null,
            .int8(Int64(query.limit) + 1),
        ]
        switch query.subject {
        case nil: return PostgresPipelineStep(all, values)
        case .line(let id)?:
            return PostgresPipelineStep(query.isNewest ? newestOfLine : ofLine, values + [.text(id)])
        case .account(let account)?:
            guard let lines = query.lines else {
                return PostgresPipelineStep(ofAccount, values + [.uuid(account.uuid)])
            }
            return PostgresPipelineStep(
                query.isNewest ? newestOfAccountAndLines : ofAccountAndLines,
                values + [
                    .uuid(account.uuid), .textArray(lines.map(\.originalTransactionID)),
                    .textArray(lines.map(\.bundleID)), .textArray(lines.map(\.store.rawValue)),
                    .textArray(lines.map(\.ownership.rawValue)),
                ]
            )
        }
    }

    /// Writes accounts over the pseudonyms. That of an erased account remains.
    private func name(_ events: inout [ListedEvent], _ session: PostgresSession) throws {
        let mentions = events.map { AccountMentions(in: $0.payload) }
        var pseudonyms = Set(events.compactMap(\.account))
        for mention in mentions { pseudonyms.formUnion(mention.ids) }
        let accounts = try NameReader.accounts(pseudonyms, session)
        for index in events.indices {
            if let account = events[index].account { events[index].account = accounts[account] ?? account }
            mentions[index].replace(in: &events[index].payload, by: accounts)
        }
    }

    func head(_ session: PostgresSession) throws -> LogPosition {
        let result = try session.query(Self.head, [])
        return LogPosition(epoch: Int(try result.int32(0, 0)), number: try result.int64(0, 1))
    }

    /// Where the catalog in force came into force; 0: none yet.
    func catalogPosition(_ session: PostgresSession) throws -> Int64 {
        try session.query("SELECT catalog_position FROM entitled.log_head").int64(0, 0)
    }

    private static func event(_ result: PostgresResult, _ row: Int) throws -> ListedEvent {
        ListedEvent(
            position: try result.int64(row, 0),
            eventID: AccountID(try result.uuid(row, 1)),
            type: try result.text(row, 2),
            store: try result.text(row, 3),
            environment: try result.text(row, 4),
            bundleID: try result.optionalText(row, 5),
            lineID: try result.optionalText(row, 6),
            transactionID: try result.optionalText(row, 7),
            account: try result.optionalUuid(row, 8).map(AccountID.init),
            commandID: try result.optionalUuid(row, 17).map(AccountID.init),
            signedAt: try result.optionalTimestamp(row, 9).map(Instant.init(microseconds:)),
            recordedAt: Instant(microseconds: try result.timestamp(row, 10)),
            source: try result.text(row, 11),
            notificationType: try result.optionalText(row, 12),
            notificationSubtype: try result.optionalText(row, 13),
            evidenceDigests: try result.bytesArray(row, 14).compactMap(\.self),
            payload: try result.json(row, 15),
            hash: try result.bytes(row, 16)
        )
    }
}
