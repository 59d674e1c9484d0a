package import EntitlementDomain
package import JSON
package import JSONRPC

/// `events.list`: the log of a key, or of everything, after a position, in pages.
package enum EventsList: APIMethod {
    package struct Parameters: Sendable, Hashable {
        /// Nil: the whole log.
        package var subject: KeyParameters.Subject?
        /// Nil with a nil subject: all environments.
        package var environment: StoreEnvironment?
        package var after: LogPosition?
        package var limit: Int64
        /// Only what is dated up to this instant; nil: all.
        package var at: Instant?
        /// The cut through the log; nil: all of it.
        package var knownAt: KnownAt?
        /// The position that the log must have reached.
        package var minPosition: LogPosition?
        /// How long to wait for it, in milliseconds.
        package var waitMilliseconds: Int64
    }

    /// One event of the list.
    package struct Event: APIResponse {
        package var position: LogPosition
        package var eventID: AccountID
        package var type: String
        package var store: String
        package var environment: String
        package var bundleID: String?
        package var lineID: String?
        package var transactionID: String?
        package var account: AccountID?
        /// The grant or hold that the event is about.
        package var commandID: AccountID?
        package var signedAt: Instant?
        package var recordedAt: Instant
        package var source: String
        package var notificationType: String?
        package var notificationSubtype: String?
        /// SHA-256 of each signed text, in lower-case hexadecimal.
        package var evidence: [String]
        /// The decoded statement as JSON.
        package var payload: [UInt8]
        /// In lower-case hexadecimal.
        package var hash: String

        package init(
            position: LogPosition,
            eventID: AccountID,
            type: String,
            store: String,
            environment: String,
            bundleID: String?,
            lineID: String?,
            transactionID: String?,
            account: AccountID?,
            commandID: AccountID?,
            signedAt: Instant?,
            recordedAt: Instant,
            source: String,
            notificationType: String?,
            notificationSubtype: String?,
            evidence: [String],
            payload: [UInt8],
            hash: String
        ) {
            self.position = position
            self.eventID = eventID
            self.type = type
            self.store = store
            self.environment = environment
            self.bundleID = bundleID
            self.lineID = lineID
            self.transactionID = transactionID
            self.account = account
            self.commandID = commandID
            self.signedAt = signedAt
            self.recordedAt = recordedAt
            self.source = source
            self.notificationType = notificationType
            self.notificationSubtype = notificationSubtype
            self.evidence = evidence
            self.payload = payload
            self.hash = hash
        }

        package func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("position", position.description)
            writer.member("eventId", eventID.description)
            writer.member("type", type)
            writer.member("store", store)
            writer.member("environment", environment)
            writer.member("bundleId", bundleID)
            writer.member("originalTransactionId", lineID)
            writer.member("transactionId", transactionID)
            writer.member("account", account?.description)
            writer.member("commandId", commandID?.description)
            writer.member("signedAt", signedAt?.iso8601)
            writer.member("recordedAt", recordedAt.iso8601)
            writer.member("source", source)
            writer.member("notificationType", notificationType)
            writer.member("subtype", notificationSubtype)
            writer.key("evidence")
            writer.beginArray()
            for digest in evidence { writer.string(digest) }
            writer.endArray()
            writer.key("payload")
            writer.raw(payload)
            writer.member("hash", hash)
            writer.endObject()
        }

        package static let schema = FactSchemas.object([
            "position": SchemaComponent.position.reference,
            "eventId": ["type": "string", "format": "uuid"],
            "type": ["type": "string", "enum": .array(EventType.allCases.map { .string($0.rawValue) })],
            "store": ["type": "string"],
            "environment": ["type": "string"],
            "bundleId": FactSchemas.text,
            "originalTransactionId": FactSchemas.text,
            "transactionId": FactSchemas.text,
            "account": ["type": ["string", "null"], "format": "uuid"],
            "commandId": [
                "type": ["string", "null"], "format": "uuid", "description": "The grant or hold that it is about.",
            ],
            "signedAt": FactSchemas.time,
            "recordedAt": ["type": "string", "format": "date-time"],
            "source": sourceSchema,
            "notificationType": FactSchemas.text,
            "subtype": FactSchemas.text,
            "evidence": evidenceSchema,
            "payload": ["type": "object", "description": "What was signed, decoded; or the command."],
            "hash": [
                "type": "string", "pattern": "^[0-9a-f]{64}$",
                "description": "SHA-256 over the hash of the event before and this event.",
            ],
        ])

        static let sourceSchema: JSONValue = [
            "type": "string", "enum": .array(EventSource.allCases.map { .string($0.rawValue) }),
            "description": "The way it came.",
        ]

        static let evidenceSchema: JSONValue = [
            "type": "array", "items": ["type": "string", "pattern": "^[0-9a-f]{64}$"],
            "description": "SHA-256 of each signed text that it came from.",
        ]
    }

    package struct Response: APIResponse {
        package var events: [Event]
        /// The head of the log, or of its part that was asked about.
        package var position: LogPosition
        /// Whether more events follow the last one of the page.
        package var hasMore: Bool

        package init(events: [Event], position: LogPosition, hasMore: Bool) {
            self.events = events
            self.position = position
            self.hasMore = hasMore
        }

        package func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("position", position.description)
            writer.key("events")
            writer.beginArray()
            for event in events { event.write(to: &writer) }
            writer.endArray()
            writer.member("hasMore", hasMore)
            writer.endObject()
        }

        package static let schema: JSONValue = [
            "type": "object", "required": ["position", "events", "hasMore"],
            "properties": [
                "position": SchemaComponent.position.reference,
                "events": ["type": "array", "items": SchemaComponent.event.reference],
                "hasMore": ["type": "boolean"],
            ],
        ]
    }

    private static let after = CommonParameters.position("after", "Only events after this position; default all.")
    private static let limit = CommonParameters.integer("limit", "Events in one page; default 100.", in: 1...1_000)

    private static let at = CommonParameters.time(
        "at",
        "The instant asked about: events dated (signed, else recorded) up to it; default all."
    )

    package static let name = "events.list"
    package static let scope: Scope? = .audit
    package static let summary = "The log of an account, of one line, or of everything, in pages."
    package static let declared = [
        CommonParameters.account.described, CommonParameters.originalTransactionID.described,
        CommonParameters.environment.described, after.described, limit.described, at.described,
        CommonParameters.knownAt.described, CommonParameters.minPosition.described,
        CommonParameters.waitMilliseconds.described,
    ]
    package static let reasons: [ErrorReason] = [.positionNotReached]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        let account = try reader.optional(CommonParameters.account)
        let original = try reader.optional(CommonParameters.originalTransactionID)
        if account != nil, original != nil {
            throw ParameterReader.invalid("account", "at most one of account and originalTransactionId may be given")
        }
        let subject = account.map { KeyParameters.Subject.account($0) } ?? original.map { .originalTransactionID($0) }
        let environment = try reader.optional(CommonParameters.environment)
        return Parameters(
            subject: subject,
            environment: environment ?? (subject == nil ? nil : .production),
            after: try reader.optional(after),
            limit: try reader.optional(limit) ?? 100,
            at: try reader.optional(at),
            knownAt: try reader.optional(CommonParameters.knownAt),
            minPosition: try reader.optional(CommonParameters.minPosition),
            waitMilliseconds: try reader.optional(CommonParameters.waitMilliseconds) ?? 0
        )
    }
}
