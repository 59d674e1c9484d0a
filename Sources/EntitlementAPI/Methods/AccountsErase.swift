package import EntitlementDomain
package import JSON
package import JSONRPC

/// `accounts.erase`: destroys the link between an account and its purchases; the facts of the purchases stay.
package enum AccountsErase: APIMethod {
    package struct Parameters: Sendable, Hashable {
        package var account: AccountID
        /// Nil: every one.
        package var environment: StoreEnvironment?
        package var reason: String?
        package var idempotencyKey: String?
    }

    /// What was erased of one environment.
    package struct Erasure: Sendable, Hashable {
        package var environment: StoreEnvironment
        /// The lines of purchases that belong to nobody since then.
        package var lineCount: Int

        package init(environment: StoreEnvironment, lineCount: Int) {
            self.environment = environment
            self.lineCount = lineCount
        }
    }

    package struct Response: APIResponse {
        package var position: LogPosition
        package var erasures: [Erasure]

        package init(position: LogPosition, erasures: [Erasure]) {
            self.position = position
            self.erasures = erasures
        }

        package func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("position", position.description)
            writer.key("erased")
            writer.beginArray()
            for erasure in erasures {
                writer.beginObject()
                writer.member("environment", erasure.environment.rawValue)
                writer.member("lines", Int64(erasure.lineCount))
                writer.endObject()
            }
            writer.endArray()
            writer.member("repetition", erasures.isEmpty)
            writer.endObject()
        }

        package static let schema: JSONValue = [
            "type": "object", "required": ["position", "erased", "repetition"],
            "properties": [
                "position": ["type": "string"],
                "erased": [
                    "type": "array",
                    "description": "What was erased now, by environment.",
                    "items": [
                        "type": "object", "required": ["environment", "lines"],
                        "properties": [
                            "environment": ["type": "string"],
                            "lines": [
                                "type": "integer", "minimum": 0,
                                "description": "Lines of purchases that belong to nobody since then.",
                            ],
                        ],
                    ],
                ],
                "repetition": ["type": "boolean", "description": "Whether the account had been erased before."],
            ],
        ]
    }

    private static let account = CommonParameters.account.required
    private static let environment = Parameter<StoreEnvironment>(
        CommonParameters.environment.name,
        "Only this environment; default all of them.",
        expectation: CommonParameters.environment.expectation,
        schema: ["type": "string", "enum": ["Production", "Sandbox", "Xcode"]],
        read: CommonParameters.environment.read
    )

    package static let name = "accounts.erase"
    package static let scope: Scope? = .admin
    package static let summary =
        "Destroys the link between an account and its purchases, for ever; the facts of the purchases stay."
    package static let declared = [
        account.described, environment.described, CommandParameters.reason.described,
        CommandParameters.idempotencyKey.described,
    ]
    package static let reasons: [ErrorReason] = [.notFound]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        Parameters(
            account: try reader.required(account),
            environment: try reader.optional(environment),
            reason: try reader.optional(CommandParameters.reason),
            idempotencyKey: try reader.optional(CommandParameters.idempotencyKey)
        )
    }
}
