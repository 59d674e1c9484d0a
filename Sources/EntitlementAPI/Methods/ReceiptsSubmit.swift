package import EntitlementDomain
package import JSON
package import JSONRPC

/// `receipts.submit`: verifies and appends the purchases of an app receipt, as apps of StoreKit 1 have it; answers with
/// the snapshot.
package enum ReceiptsSubmit: APIMethod {
    package struct Parameters: Sendable, Hashable {
        /// The app receipt in base64.
        package var receipt: String
        /// The account it is for; nil: whoever owns the lines.
        package var account: AccountID?
    }

    package struct Response: APIResponse {
        /// Of the account; without one, of all lines that the receipt proves.
        package var snapshot: SnapshotResponse
        /// Whether `snapshot` is of one account or line, which its key names.
        package var isOfOneKey: Bool
        package var bundleID: String
        package var createdAt: Instant?
        /// The version that the customer first got.
        package var originalApplicationVersion: String?
        /// How many purchases the receipt holds.
        package var transactionCount: Int
        /// The lines that stay with another account, so that nothing of them was appended.
        package var refusedLines: [String]

        package init(
            snapshot: SnapshotResponse,
            isOfOneKey: Bool,
            bundleID: String,
            createdAt: Instant?,
            originalApplicationVersion: String?,
            transactionCount: Int,
            refusedLines: [String]
        ) {
            self.snapshot = snapshot
            self.isOfOneKey = isOfOneKey
            self.bundleID = bundleID
            self.createdAt = createdAt
            self.originalApplicationVersion = originalApplicationVersion
            self.transactionCount = transactionCount
            self.refusedLines = refusedLines
        }

        package func write(to writer: inout JSONWriter) {
            writer.beginObject()
            snapshot.writeMembers(to: &writer, key: isOfOneKey ? snapshot.key : nil)
            writer.key("receipt")
            writer.beginObject()
            writer.member("bundleId", bundleID)
            writer.member("receiptCreationDate", createdAt?.iso8601)
            writer.member("originalApplicationVersion", originalApplicationVersion)
            writer.member("transactions", transactionCount)
            writer.key("ownedByOthers")
            writer.beginArray()
            for line in refusedLines { writer.value(.string(line)) }
            writer.endArray()
            writer.endObject()
            writer.endObject()
        }

        package static let schema: JSONValue = {
            guard var schema = SnapshotResponse.schema.objectValue,
                var properties = schema["properties"]?.objectValue
            else { return SnapshotResponse.schema }
            schema["required"] = [
                "position", "environment", "at", "entitlements", "balances", "nextChangeAt", "receipt",
            ]
            properties["receipt"] = [
                "type": "object",
                "required": [
                    "bundleId", "receiptCreationDate", "originalApplicationVersion", "transactions", "ownedByOthers",
                ],
                "properties": [
                    "bundleId": ["type": "string"],
                    "receiptCreationDate": FactSchemas.time,
                    "originalApplicationVersion": [
                        "type": ["string", "null"], "description": "The version that the customer first got.",
                    ],
                    "transactions": ["type": "integer", "description": "How many purchases the receipt holds."],
                    "ownedByOthers": [
                        "type": "array", "items": ["type": "string"],
                        "description":
                            "The original transaction ids that stay with another account; nothing of them was appended.",
                    ],
                ],
            ]
            schema["properties"] = .object(properties)
            return .object(schema)
        }()
    }

    /// The largest receipt that is looked at, in bytes of its base64.
    package static let maximumReceiptBytes = 3 * 1_024 * 1_024

    private static let receipt = CommonParameters.text(
        "receipt",
        "The app receipt in base64: the contents of Bundle.main.appStoreReceiptURL.",
        maximumBytes: maximumReceiptBytes
    ).required

    package static let name = "receipts.submit"
    package static let scope: Scope? = .submit
    package static let summary =
        "Verifies an app receipt of StoreKit 1, appends its purchases, and answers with the entitlements of the account (or of the receipt's lines)."
    package static let declared = [receipt.described, CommonParameters.account.described]
    package static let reasons: [ErrorReason] = [
        .invalidSignature, .invalidChain, .certificateExpired, .wrongBundle, .wrongEnvironment, .malformedStatement,
        .ownershipConflict, .notFound, .upstreamUnavailable, .upstreamRejected,
    ]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        Parameters(
            receipt: try reader.required(receipt),
            account: try reader.optional(CommonParameters.account)
        )
    }
}
