package import EntitlementDomain
package import JSON
package import JSONRPC

/// `transactions.submitMany`: verifies and appends many transactions, each with its own outcome.
package enum TransactionsSubmitMany: APIMethod {
    package struct Parameters: Sendable, Hashable {
        package var transactions: [TransactionsSubmit.Parameters]
    }

    /// What became of one transaction.
    package enum Outcome: Sendable {
        /// It is in the log, now or since earlier.
        case accepted(originalTransactionID: String, transactionID: String, environment: StoreEnvironment)
        /// Nothing of it is in the log by this call.
        case refused(JSONRPCError)
    }

    package struct Response: APIResponse {
        /// In the order of the transactions.
        package var outcomes: [Outcome]
        /// A position that has all that was accepted.
        package var position: LogPosition

        package init(outcomes: [Outcome], position: LogPosition) {
            self.outcomes = outcomes
            self.position = position
        }

        package func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("position", position.description)
            writer.key("results")
            writer.beginArray()
            for outcome in outcomes {
                writer.beginObject()
                switch outcome {
                case .accepted(let originalTransactionID, let transactionID, let environment):
                    writer.member("ok", true)
                    writer.member("originalTransactionId", originalTransactionID)
                    writer.member("transactionId", transactionID)
                    writer.member("environment", environment.rawValue)
                case .refused(let error):
                    writer.member("ok", false)
                    writer.key("error")
                    writer.beginObject()
                    writer.member("code", error.code)
                    writer.member("message", error.message)
                    if let data = error.data {
                        writer.key("data")
                        writer.value(data)
                    }
                    writer.endObject()
                }
                writer.endObject()
            }
            writer.endArray()
            writer.endObject()
        }

        package static let schema: JSONValue = [
            "type": "object", "required": ["position", "results"],
            "properties": [
                "position": SchemaComponent.position.reference,
                "results": [
                    "type": "array", "description": "One for each transaction, in their order.",
                    "items": [
                        "type": "object", "required": ["ok"],
                        "properties": [
                            "ok": ["type": "boolean"],
                            "originalTransactionId": ["type": "string"],
                            "transactionId": ["type": "string"],
                            "environment": ["type": "string"],
                            "error": [
                                "type": "object", "required": ["code", "message"],
                                "description": "The error that transactions.submit would have answered with.",
                                "properties": [
                                    "code": ["type": "integer"],
                                    "message": ["type": "string"],
                                    "data": [
                                        "type": "object", "required": ["reason", "retryable"],
                                        "properties": [
                                            "reason": ["type": "string"], "retryable": ["type": "boolean"],
                                        ],
                                        "additionalProperties": true,
                                    ],
                                ],
                            ],
                        ],
                    ],
                ],
            ],
        ]
    }

    /// The most transactions in one call.
    package static let limit = 500

    private static let transactions = CommonParameters.list(
        "transactions",
        "The transactions, each with the parameters of transactions.submit.",
        limit: limit,
        itemSchema: [
            "type": "object", "additionalProperties": false, "required": ["signedTransaction"],
            "properties": .object(
                JSONObject(TransactionsSubmit.declared.map { JSONObject.Member(key: $0.name, value: $0.schema) })
            ),
        ]
    )

    package static let name = "transactions.submitMany"
    package static let scope: Scope? = .submit
    package static let summary =
        "Verifies and appends up to \(limit) signed transactions, each with its own outcome; their order does not matter."
    package static let declared = [transactions.described]
    package static let reasons: [ErrorReason] = []

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        var items: [TransactionsSubmit.Parameters] = []
        for (index, value) in try reader.required(transactions).enumerated() {
            items.append(
                try ParameterReader.reading(value, as: "transactions[\(index)]", declared: TransactionsSubmit.declared)
                {
                    reader throws(JSONRPCError) in
                    try TransactionsSubmit.read(reader)
                }
            )
        }
        return Parameters(transactions: items)
    }
}
