package import EntitlementDomain
package import JSON
package import JSONRPC

/// `audit.verify`: checks a part of the log's hash chain and the signed texts behind it.
package enum AuditVerify: APIMethod {
    package struct Parameters: Sendable, Hashable {
        /// Nil: the first position.
        package var from: LogPosition?
        /// Nil: the last one.
        package var to: LogPosition?
        /// The most events that are checked by this call.
        package var limit: Int64
        /// Whether the App Store's signatures are verified as well.
        package var signatures: Bool
    }

    /// The first position that does not hold.
    package struct Problem: Sendable {
        package var position: LogPosition
        package var kind: String
        package var message: String

        package init(position: LogPosition, kind: String, message: String) {
            self.position = position
            self.kind = kind
            self.message = message
        }
    }

    package struct Response: APIResponse {
        /// The log's head.
        package var position: LogPosition
        package var from: LogPosition
        /// The last position that was checked.
        package var to: LogPosition
        package var events: Int64
        package var evidence: Int64
        package var signatures: Int64
        package var unverified: Int64
        package var erased: Int64
        /// In lower-case hexadecimal.
        package var lastHash: String
        package var hasMore: Bool
        package var problem: Problem?

        package init(
            position: LogPosition,
            from: LogPosition,
            to: LogPosition,
            events: Int64,
            evidence: Int64,
            signatures: Int64,
            unverified: Int64,
            erased: Int64,
            lastHash: String,
            hasMore: Bool,
            problem: Problem?
        ) {
            self.position = position
            self.from = from
            self.to = to
            self.events = events
            self.evidence = evidence
            self.signatures = signatures
            self.unverified = unverified
            self.erased = erased
            self.lastHash = lastHash
            self.hasMore = hasMore
            self.problem = problem
        }

        package func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("position", position.description)
            writer.member("holds", problem == nil)
            writer.member("from", from.description)
            writer.member("to", to.description)
            writer.member("events", events)
            writer.member("evidence", evidence)
            writer.member("signatures", signatures)
            writer.member("unverified", unverified)
            writer.member("erased", erased)
            writer.member("lastHash", lastHash)
            writer.member("hasMore", hasMore)
            writer.nullable("problem", problem) { writer, problem in
                writer.beginObject()
                writer.member("position", problem.position.description)
                writer.member("kind", problem.kind)
                writer.member("message", problem.message)
                writer.endObject()
            }
            writer.endObject()
        }

        package static let schema: JSONValue = [
            "type": "object",
            "required": [
                "position", "holds", "from", "to", "events", "evidence", "signatures", "unverified", "erased",
                "lastHash",
                "hasMore", "problem",
            ],
            "properties": [
                "position": SchemaComponent.position.reference,
                "holds": ["type": "boolean"],
                "from": SchemaComponent.position.reference,
                "to": SchemaComponent.position.reference,
                "events": ["type": "integer"],
                "evidence": ["type": "integer", "description": "Signed texts whose digest was found right."],
                "signatures": ["type": "integer"],
                "unverified": ["type": "integer", "description": "Signed texts of a kind that is not verified here."],
                "erased": [
                    "type": "integer",
                    "description": "Signed texts that cannot be read any more, because the account in them was erased.",
                ],
                "lastHash": ["type": "string"],
                "hasMore": ["type": "boolean", "description": "Whether positions follow; go on behind to."],
                "problem": [
                    "type": ["object", "null"],
                    "description": "The first position that does not hold.",
                    "properties": [
                        "position": ["type": "string"], "kind": ["type": "string"], "message": ["type": "string"],
                    ],
                ],
            ],
        ]
    }

    private static let from = CommonParameters.position("from", "First position to check; default the first.")
    private static let to = CommonParameters.position("to", "Last position to check; default the last.")
    private static let limit = CommonParameters.integer(
        "limit",
        "The most events that this call checks; default 100000.",
        in: 1...1_000_000
    )
    private static let signatures = Parameter<Bool>(
        "signatures",
        "Whether the App Store's signatures are verified too, at their signing dates; default false.",
        expectation: "true or false",
        schema: ["type": "boolean", "default": false],
        read: { $0.boolValue }
    )

    package static let name = "audit.verify"
    package static let scope: Scope? = .audit
    package static let summary = "Checks the log's hash chain and the signed texts behind it, part by part."
    package static let declared = [from.described, to.described, limit.described, signatures.described]
    package static let reasons: [ErrorReason] = [.positionNotReached]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        Parameters(
            from: try reader.optional(from),
            to: try reader.optional(to),
            limit: try reader.optional(limit) ?? 100_000,
            signatures: try reader.optional(signatures) ?? false
        )
    }
}
