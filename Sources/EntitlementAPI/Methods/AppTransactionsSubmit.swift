package import EntitlementDomain
package import JSON
package import JSONRPC

/// `appTransactions.submit`: verifies a signed app transaction and tells how the customer came to have the app, for apps
/// that changed their business model.
package enum AppTransactionsSubmit: APIMethod {
    package struct Parameters: Sendable, Hashable {
        /// `jwsRepresentation` of StoreKit's `AppTransaction.shared`.
        package var signedAppTransaction: String
        /// The account that it is from; noted with the event.
        package var account: AccountID?
    }

    package struct Response: APIResponse {
        package var bundleID: String
        package var environment: StoreEnvironment
        /// The version that the customer first got.
        package var originalApplicationVersion: String?
        /// When the customer first got the app.
        package var originalPurchasedAt: Instant?
        /// The version that is installed.
        package var applicationVersion: String?
        package var appTransactionID: String?
        package var originalPlatform: String?
        package var preorderedAt: Instant?
        package var position: LogPosition

        package init(
            bundleID: String,
            environment: StoreEnvironment,
            originalApplicationVersion: String?,
            originalPurchasedAt: Instant?,
            applicationVersion: String?,
            appTransactionID: String?,
            originalPlatform: String?,
            preorderedAt: Instant?,
            position: LogPosition
        ) {
            self.bundleID = bundleID
            self.environment = environment
            self.originalApplicationVersion = originalApplicationVersion
            self.originalPurchasedAt = originalPurchasedAt
            self.applicationVersion = applicationVersion
            self.appTransactionID = appTransactionID
            self.originalPlatform = originalPlatform
            self.preorderedAt = preorderedAt
            self.position = position
        }

        package func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("position", position.description)
            writer.member("bundleId", bundleID)
            writer.member("environment", environment.rawValue)
            writer.member("originalApplicationVersion", originalApplicationVersion)
            writer.member("originalPurchaseDate", originalPurchasedAt?.iso8601)
            writer.member("applicationVersion", applicationVersion)
            writer.member("appTransactionId", appTransactionID)
            writer.member("originalPlatform", originalPlatform)
            writer.member("preorderDate", preorderedAt?.iso8601)
            writer.endObject()
        }

        package static let schema: JSONValue = [
            "type": "object",
            "required": [
                "position", "bundleId", "environment", "originalApplicationVersion", "originalPurchaseDate",
                "applicationVersion", "appTransactionId", "originalPlatform", "preorderDate",
            ],
            "properties": [
                "position": SchemaComponent.position.reference,
                "bundleId": ["type": "string"],
                "environment": ["type": "string"],
                "originalApplicationVersion": [
                    "type": ["string", "null"], "description": "The version that the customer first got.",
                ],
                "originalPurchaseDate": FactSchemas.time,
                "applicationVersion": FactSchemas.text,
                "appTransactionId": FactSchemas.text,
                "originalPlatform": FactSchemas.text,
                "preorderDate": FactSchemas.time,
            ],
        ]
    }

    private static let signedAppTransaction = CommonParameters.text(
        "signedAppTransaction",
        "The jwsRepresentation of StoreKit's AppTransaction.",
        maximumBytes: TransactionsSubmit.maximumStatementBytes
    ).required
    private static let account = Parameter<AccountID>(
        "account",
        "The account that it is from: noted with the event, so that it is found in the account's log.",
        expectation: CommonParameters.account.expectation,
        schema: CommonParameters.account.schema,
        read: CommonParameters.account.read
    )

    package static let name = "appTransactions.submit"
    package static let scope: Scope? = .submit
    package static let summary =
        "Verifies a signed app transaction, appends it, and answers with the version and date the customer first got."
    package static let declared = [signedAppTransaction.described, account.described]
    package static let reasons: [ErrorReason] = [
        .notFound, .invalidSignature, .invalidChain, .certificateExpired, .wrongBundle, .wrongEnvironment,
        .malformedStatement,
    ]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        Parameters(
            signedAppTransaction: try reader.required(signedAppTransaction),
            account: try reader.optional(account)
        )
    }
}
