package import EntitlementDomain
package import JSON
package import JSONRPC

/// `audit.replay`: folds the log from nothing and compares it with the live projections.
package enum AuditReplay: APIMethod {
    package struct Parameters: Sendable, Hashable {
        /// Nil: the whole log, when it is small.
        package var account: AccountID?
        package var environment: StoreEnvironment
        /// The instant that answers are compared at; nil: now.
        package var at: Instant?
        /// Compares with what is answered for this cut; nil: with the projections.
        package var knownAt: KnownAt?
    }

    /// One difference.
    package struct Difference: Sendable {
        package var table: String
        package var field: String
        package var environment: String?
        package var bundleID: String?
        package var originalTransactionID: String?
        package var account: AccountID?
        package var entitlement: String?
        package var live: String?
        package var replayed: String?
        package var events: [LogPosition]

        package init(
            table: String,
            field: String,
            environment: String?,
            bundleID: String?,
            originalTransactionID: String?,
            account: AccountID?,
            entitlement: String?,
            live: String?,
            replayed: String?,
            events: [LogPosition]
        ) {
            self.table = table
            self.field = field
            self.environment = environment
            self.bundleID = bundleID
            self.originalTransactionID = originalTransactionID
            self.account = account
            self.entitlement = entitlement
            self.live = live
            self.replayed = replayed
            self.events = events
        }

        func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("table", table)
            writer.member("field", field)
            writer.member("environment", environment)
            writer.member("bundleId", bundleID)
            writer.member("originalTransactionId", originalTransactionID)
            writer.member("account", account?.description)
            writer.member("entitlement", entitlement)
            writer.member("live", live)
            writer.member("replayed", replayed)
            writer.key("events")
            writer.beginArray()
            for event in events { writer.string(event.description) }
            writer.endArray()
            writer.endObject()
        }
    }

    package struct Response: APIResponse {
        /// The position of the log that both sides stand at.
        package var position: LogPosition
        package var isComplete: Bool
        package var events: Int64
        package var lines: Int64
        package var accounts: Int64
        package var count: Int64
        package var differences: [Difference]

        package init(
            position: LogPosition,
            isComplete: Bool,
            events: Int64,
            lines: Int64,
            accounts: Int64,
            count: Int64,
            differences: [Difference]
        ) {
            self.position = position
            self.isComplete = isComplete
            self.events = events
            self.lines = lines
            self.accounts = accounts
            self.count = count
            self.differences = differences
        }

        package func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("position", position.description)
            writer.member("equal", count == 0)
            writer.member("complete", isComplete)
            writer.member("events", events)
            writer.member("lines", lines)
            writer.member("accounts", accounts)
            writer.member("count", count)
            writer.key("differences")
            writer.beginArray()
            for difference in differences { difference.write(to: &writer) }
            writer.endArray()
            writer.endObject()
        }

        package static let schema: JSONValue = [
            "type": "object",
            "required": ["position", "equal", "complete", "events", "lines", "accounts", "count", "differences"],
            "properties": [
                "position": SchemaComponent.position.reference,
                "equal": ["type": "boolean"],
                "complete": [
                    "type": "boolean",
                    "description":
                        "False: the log was too long to be searched for purchases that the projections lost.",
                ],
                "events": ["type": "integer"], "lines": ["type": "integer"], "accounts": ["type": "integer"],
                "count": ["type": "integer", "description": "All differences, also those that are not listed."],
                "differences": [
                    "type": "array",
                    "items": FactSchemas.object([
                        "table": ["type": "string"], "field": ["type": "string"],
                        "environment": FactSchemas.text, "bundleId": FactSchemas.text,
                        "originalTransactionId": FactSchemas.text,
                        "account": ["type": ["string", "null"], "format": "uuid"],
                        "entitlement": FactSchemas.text, "live": FactSchemas.text, "replayed": FactSchemas.text,
                        "events": ["type": "array", "items": SchemaComponent.position.reference],
                    ]),
                ],
            ],
        ]
    }

    private static let account = Parameter<AccountID>(
        "account",
        "The account; without one the whole log is folded, when it has no more than 50000 events.",
        expectation: CommonParameters.account.expectation,
        schema: CommonParameters.account.schema,
        read: CommonParameters.account.read
    )

    package static let name = "audit.replay"
    package static let scope: Scope? = .audit
    package static let summary = "Folds an account, or a small log, from nothing and compares it with the projections."
    package static let declared = [
        account.described, CommonParameters.environment.described, CommonParameters.at.described,
        CommonParameters.knownAt.described,
    ]
    package static let reasons: [ErrorReason] = [.notFound, .positionNotReached]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        let account = try reader.optional(account)
        let knownAt = try reader.optional(CommonParameters.knownAt)
        if account == nil, knownAt != nil {
            throw ParameterReader.invalid("knownAt", "knownAt needs an account here")
        }
        return Parameters(
            account: account,
            environment: try reader.optional(CommonParameters.environment) ?? .production,
            at: try reader.optional(CommonParameters.at),
            knownAt: knownAt
        )
    }
}
