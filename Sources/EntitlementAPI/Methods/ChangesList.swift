package import EntitlementDomain
package import JSON
package import JSONRPC

/// `changes.list`: the accounts whose entitlements changed after a position, by an event or by the clock alone.
package enum ChangesList: APIMethod {
    package struct Parameters: Sendable, Hashable {
        /// Nil: from the start.
        package var after: FeedPosition?
        package var limit: Int64
        /// How long to wait for a change when there is none, in milliseconds.
        package var waitMilliseconds: Int64
        /// Nil: all environments.
        package var environment: StoreEnvironment?
    }

    /// One account that changed.
    package struct Change: APIResponse {
        package var account: AccountID
        package var environment: StoreEnvironment
        /// Its place in the feed: to go on from here, and to be read at.
        package var position: FeedPosition
        /// The instant at which the clock alone brought the change; nil: an event did.
        package var at: Instant?

        package init(account: AccountID, environment: StoreEnvironment, position: FeedPosition, at: Instant?) {
            self.account = account
            self.environment = environment
            self.position = position
            self.at = at
        }

        package func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("account", account.description)
            writer.member("environment", environment.rawValue)
            writer.member("position", position.description)
            writer.member("kind", at == nil ? "event" : "clock")
            if let at { writer.member("at", at.iso8601) }
            writer.endObject()
        }

        package static let schema: JSONValue = [
            "type": "object", "required": ["account", "environment", "position", "kind"],
            "properties": [
                "account": ["type": "string", "format": "uuid"],
                "environment": ["type": "string"],
                "position": SchemaComponent.position.reference,
                "kind": ["type": "string", "enum": ["event", "clock"]],
                "at": [
                    "type": "string", "format": "date-time",
                    "description": "Only of kind clock: the instant at which the clock brought the change.",
                ],
            ],
        ]
    }

    package struct Response: APIResponse {
        package var changes: [Change]
        /// Where to go on.
        package var position: FeedPosition
        /// Whether more changes are there already.
        package var hasMore: Bool

        package init(changes: [Change], position: FeedPosition, hasMore: Bool) {
            self.changes = changes
            self.position = position
            self.hasMore = hasMore
        }

        package func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("position", position.description)
            writer.key("changes")
            writer.beginArray()
            for change in changes { change.write(to: &writer) }
            writer.endArray()
            writer.member("hasMore", hasMore)
            writer.endObject()
        }

        package static let schema: JSONValue = [
            "type": "object", "required": ["position", "changes", "hasMore"],
            "properties": [
                "position": SchemaComponent.position.reference,
                "changes": ["type": "array", "items": Change.schema],
                "hasMore": ["type": "boolean"],
            ],
        ]
    }

    private static let after = CommonParameters.feedPosition(
        "after",
        "Only changes after this position: that of an answer, or of an earlier page; default from the start."
    )
    private static let limit = CommonParameters.integer("limit", "Changes in one page; default 100.", in: 1...1_000)
    private static let wait = CommonParameters.integer(
        "waitMs",
        "How long to wait for a change when there is none, in milliseconds; default 0.",
        in: 0...30_000
    )
    private static let environment = Parameter<StoreEnvironment>(
        "environment",
        "Only changes in this App Store environment; default all.",
        expectation: CommonParameters.environment.expectation,
        schema: ["type": "string", "enum": ["Production", "Sandbox", "Xcode"]],
        read: CommonParameters.environment.read
    )

    package static let name = "changes.list"
    package static let scope: Scope? = .read
    package static let summary =
        "The accounts whose entitlements changed after a position, by events or by the clock, each once after its last "
        + "change."
    package static let declared = [after.described, limit.described, wait.described, environment.described]
    package static let reasons: [ErrorReason] = [.positionNotReached]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        Parameters(
            after: try reader.optional(after),
            limit: try reader.optional(limit) ?? 100,
            waitMilliseconds: try reader.optional(wait) ?? 0,
            environment: try reader.optional(environment)
        )
    }
}
