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

    /// $1 after, $2 environment or null, $3 limit.
    private static let all = PreparedStatement(
        """
        SELECT \(columns) FROM entitled.events e
        WHERE e.position > $1::bigint AND ($2::text IS NULL OR e.environment = $2::text)
        ORDER BY e.position LIMIT $3::bigint
        """
    )

    /// $1 after, $2 environment, $3 limit, $4 line.
    private static let ofLine = PreparedStatement(
        """
        SELECT \(columns) FROM entitled.events e
        WHERE e.line_id = $4::text AND e.environment = $2::text AND e.position > $1::bigint
        ORDER BY e.position LIMIT $3::bigint
        """
    )

    /// $1 after, $2 environment, $3 limit, $4 account.
    private static let ofAccount = PreparedStatement(
        """
        SELECT \(columns) FROM (
            SELECT e.* FROM entitled.lines l JOIN entitled.events e
                ON e.line_id = l.line_id AND e.environment = l.environment AND e.bundle_id = l.bundle_id
                AND e.store = l.store AND e.ownership = l.ownership
            WHERE l.owner = $4::uuid AND l.environment = $2::text AND e.position > $1::bigint
            UNION
            SELECT e.* FROM entitled.events e
            WHERE e.account = $4::uuid AND e.environment = $2::text AND e.position > $1::bigint
        ) e ORDER BY e.position LIMIT $3::bigint
        """
    )

    func page(_ query: EventQuery, _ session: PostgresSession) throws -> EventPage {
        let after = PostgresValue.int8(query.after?.number ?? 0)
        let environment = query.environment.map { PostgresValue.text($0.rawValue) } ?? .null
        let limit = PostgresValue.int8(Int64(query.limit) + 1)
        let step =
            switch query.subject {
            case nil: PostgresPipelineStep(Self.all, [after, environment, limit])
            case .line(let id)?: PostgresPipelineStep(Self.ofLine, [after, environment, limit, .text(id)])
            case .account(let account)?:
                PostgresPipelineStep(Self.ofAccount, [after, environment, limit, .uuid(account.uuid)])
            }
        // The head is read last: a page never holds an event behind the position it names.
        let results = try session.pipeline([step, PostgresPipelineStep(Self.head)])
        let head = LogPosition(epoch: Int(try results[1].int32(0, 0)), number: try results[1].int64(0, 1))
        if let after = query.after, after.epoch != head.epoch {
            throw StoreError.positionNotReached(isEpochChanged: true, current: head)
        }
        var events = try results[0].rows.prefix(query.limit).map { try Self.event(results[0], $0) }
        if let upTo = query.upTo { events.removeAll { $0.position > upTo.number } }
        return EventPage(events: events, head: head, hasMore: results[0].rowCount > query.limit)
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
