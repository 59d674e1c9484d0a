package import EntitlementDomain
package import JSON
package import JSONRPC

/// `entitlements.getMany`: all entitlements and balances of many accounts, from one place in the log.
package enum EntitlementsGetMany: APIMethod {
    package struct Parameters: Sendable, Hashable {
        /// In the order of the answer; an account may be named twice.
        package var accounts: [AccountID]
        package var environment: StoreEnvironment
        /// The instant asked about; nil: now.
        package var at: Instant?
        /// The cut through the log to answer from; nil: all of it.
        package var knownAt: KnownAt?
        package var minPosition: LogPosition?
        package var waitMilliseconds: Int64
    }

    package struct Response: APIResponse {
        /// The accounts with their answers, as asked.
        package var results: [(account: AccountID, answer: Answer)]
        package var environment: StoreEnvironment
        package var instant: Instant
        package var position: LogPosition

        package init(
            results: [(account: AccountID, answer: Answer)],
            environment: StoreEnvironment,
            instant: Instant,
            position: LogPosition
        ) {
            self.results = results
            self.environment = environment
            self.instant = instant
            self.position = position
        }

        package func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("position", position.description)
            writer.member("environment", environment.rawValue)
            writer.member("at", instant.iso8601)
            writer.key("results")
            writer.beginArray()
            for (account, answer) in results {
                writer.beginObject()
                writer.member("account", account.description)
                writer.key("entitlements")
                writer.beginArray()
                for entitlement in answer.entitlements { EntitlementEntry(entitlement).write(to: &writer) }
                writer.endArray()
                writer.key("balances")
                writer.beginObject()
                for (currency, units) in answer.balances.sorted(by: { $0.key < $1.key }) {
                    writer.member(currency, units)
                }
                writer.endObject()
                writer.member("nextChangeAt", answer.nextChangeAt?.iso8601)
                writer.endObject()
            }
            writer.endArray()
            writer.endObject()
        }

        package static var schema: JSONValue {
            [
                "type": "object", "required": ["position", "environment", "at", "results"],
                "properties": [
                    "position": SchemaComponent.position.reference,
                    "environment": ["type": "string"],
                    "at": ["type": "string", "format": "date-time"],
                    "results": [
                        "type": "array",
                        "items": [
                            "type": "object", "required": ["account", "entitlements", "balances", "nextChangeAt"],
                            "properties": [
                                "account": ["type": "string", "format": "uuid"],
                                "entitlements": ["type": "array", "items": SchemaComponent.entitlement.reference],
                                "balances": SchemaComponent.balances.reference,
                                "nextChangeAt": FactSchemas.time,
                            ],
                        ],
                    ],
                ],
            ]
        }
    }

    /// The most accounts in one call.
    package static let limit = 1_000

    private static let accounts = CommonParameters.list(
        "accounts",
        "The accounts: the UUIDs that apps set as appAccountToken. One may be named twice.",
        limit: limit,
        itemSchema: ["type": "string", "format": "uuid"]
    )

    package static let name = "entitlements.getMany"
    package static let scope: Scope? = .read
    package static let summary = "All entitlements and balances of up to \(limit) accounts, from one place in the log."
    package static let declared = [
        accounts.described, CommonParameters.environment.described, CommonParameters.at.described,
        CommonParameters.knownAt.described,
        CommonParameters.minPosition.described, CommonParameters.waitMilliseconds.described,
    ]
    package static let reasons: [ErrorReason] = [.notFound, .positionNotReached]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        var ids: [AccountID] = []
        for (index, value) in try reader.required(accounts).enumerated() {
            guard let id = value.stringValue.flatMap({ AccountID($0) }) else {
                throw ParameterReader.invalid("accounts[\(index)]", "accounts[\(index)] must be a UUID")
            }
            ids.append(id)
        }
        return Parameters(
            accounts: ids,
            environment: try reader.optional(CommonParameters.environment) ?? .production,
            at: try reader.optional(CommonParameters.at),
            knownAt: try reader.optional(CommonParameters.knownAt),
            minPosition: try reader.optional(CommonParameters.minPosition),
            waitMilliseconds: try reader.optional(CommonParameters.waitMilliseconds) ?? 0
        )
    }
}
