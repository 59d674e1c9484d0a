package import EntitlementDomain
package import JSON
package import JSONRPC

/// `subscriptions.status`: StoreKit's renewal state of each subscription group of a key.
package enum SubscriptionsStatus: APIMethod {
    package typealias Parameters = EntitlementsGet.Parameters

    package struct Response: APIResponse {
        package var key: KeyParameters.Subject
        package var environment: StoreEnvironment
        package var answer: SubscriptionAnswer
        package var position: LogPosition

        package init(
            key: KeyParameters.Subject,
            environment: StoreEnvironment,
            answer: SubscriptionAnswer,
            position: LogPosition
        ) {
            self.key = key
            self.environment = environment
            self.answer = answer
            self.position = position
        }

        package func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("position", position.description)
            switch key {
            case .account(let account): writer.member("account", account.description)
            case .originalTransactionID(let id): writer.member("originalTransactionId", id)
            }
            writer.member("environment", environment.rawValue)
            writer.member("at", answer.instant.iso8601)
            writer.key("groups")
            writer.beginArray()
            for group in answer.groups { Self.write(group, to: &writer) }
            writer.endArray()
            writer.member("nextChangeAt", answer.nextChangeAt?.iso8601)
            writer.endObject()
        }

        private static func write(_ group: SubscriptionGroup, to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("subscriptionGroupId", group.id)
            writer.member("group", group.catalogGroup)
            writer.member("state", group.state.rawValue)
            writer.member("introductoryOfferUsed", group.isIntroductoryOfferUsed)
            writer.key("statuses")
            writer.beginArray()
            for status in group.statuses { write(status, to: &writer) }
            writer.endArray()
            writer.endObject()
        }

        private static func write(_ status: SubscriptionStatus, to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("state", status.state.rawValue)
            if status.isInLeeway { writer.member("leeway", true) }
            writer.member("originalTransactionId", status.line.originalTransactionID)
            writer.member("bundleId", status.line.bundleID)
            writer.member("ownership", status.line.ownership.rawValue)
            writer.member("expiresAt", status.expiresAt.iso8601)
            writer.key("transaction")
            write(status.transaction, revokedAt: status.revokedAt, to: &writer)
            writer.nullable("renewalInfo", status.renewal) { write($1, to: &$0) }
            writer.endObject()
        }

        private static func write(_ facts: TransactionFacts, revokedAt: Instant?, to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("transactionId", facts.transactionID)
            writer.member("webOrderLineItemId", facts.webOrderLineItemID)
            writer.member("productId", facts.productID)
            writer.member("purchaseDate", facts.purchasedAt.iso8601)
            writer.member("originalPurchaseDate", facts.originalPurchasedAt?.iso8601)
            writer.member("expiresDate", facts.expiresAt?.iso8601)
            writer.member("transactionReason", facts.isRenewal.map { $0 ? "RENEWAL" : "PURCHASE" })
            writer.offer("offer", facts.offer)
            writer.member("isUpgraded", facts.isUpgraded)
            writer.revocation(revokedAt, of: facts)
            writer.member("signedDate", facts.signedAt.iso8601)
            writer.endObject()
        }

        static func write(_ facts: RenewalFacts, to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("autoRenewStatus", facts.autoRenews.map { $0 ? Int64(1) : 0 })
            writer.member("autoRenewProductId", facts.autoRenewProductID)
            writer.member("isInBillingRetryPeriod", facts.isInBillingRetry)
            writer.member("gracePeriodExpiresDate", facts.gracePeriodExpiresAt?.iso8601)
            writer.member("expirationIntent", facts.expirationIntent.map(Int64.init))
            writer.member("renewalDate", facts.renewsAt?.iso8601)
            writer.member("priceIncreaseStatus", facts.priceIncreaseStatus.map(Int64.init))
            writer.member("renewalPrice", facts.renewalPrice)
            writer.member("currency", facts.currency)
            writer.offer("offer", facts.offer)
            writer.member("signedDate", facts.signedAt.iso8601)
            writer.endObject()
        }

        package static var schema: JSONValue {
            [
                "type": "object", "required": ["position", "environment", "at", "groups", "nextChangeAt"],
                "properties": [
                    "position": SchemaComponent.position.reference,
                    "account": ["type": "string", "format": "uuid"],
                    "originalTransactionId": ["type": "string"],
                    "environment": ["type": "string"],
                    "at": ["type": "string", "format": "date-time"],
                    "groups": ["type": "array", "items": groupSchema],
                    "nextChangeAt": FactSchemas.time,
                ],
            ]
        }

        private static let stateSchema: JSONValue = [
            "type": "string", "enum": .array(SubscriptionState.allCases.map { .string($0.rawValue) }),
        ]

        private static var groupSchema: JSONValue {
            [
                "type": "object",
                "required": ["subscriptionGroupId", "group", "state", "introductoryOfferUsed", "statuses"],
                "properties": [
                    "subscriptionGroupId": [
                        "type": ["string", "null"],
                        "description": "As the App Store names the group, else as the catalog does.",
                    ],
                    "group": ["type": ["string", "null"], "description": "The group's name in the catalog."],
                    "state": stateSchema,
                    "introductoryOfferUsed": ["type": "boolean"],
                    "statuses": ["type": "array", "minItems": 1, "items": statusSchema],
                ],
            ]
        }

        private static var statusSchema: JSONValue {
            [
                "type": "object",
                "required": [
                    "state", "originalTransactionId", "bundleId", "ownership", "expiresAt", "transaction",
                    "renewalInfo",
                ],
                "properties": [
                    "state": stateSchema,
                    "leeway": [
                        "type": "boolean",
                        "description": "Present and true while the state holds only because a renewal is expected.",
                    ],
                    "originalTransactionId": ["type": "string"],
                    "bundleId": ["type": "string"],
                    "ownership": ["type": "string", "enum": ["PURCHASED", "FAMILY_SHARED"]],
                    "expiresAt": [
                        "type": "string", "format": "date-time",
                        "description": "The end of the paid time, all things considered.",
                    ],
                    "transaction": transactionSchema,
                    "renewalInfo": renewalSchema,
                ],
            ]
        }

        private static var transactionSchema: JSONValue {
            var properties: JSONObject = [
                "transactionId": ["type": "string"], "webOrderLineItemId": FactSchemas.text,
                "productId": ["type": "string"], "purchaseDate": ["type": "string", "format": "date-time"],
                "originalPurchaseDate": FactSchemas.time, "expiresDate": FactSchemas.time,
                "transactionReason": ["type": ["string", "null"], "enum": ["PURCHASE", "RENEWAL", nil]],
                "offer": SchemaComponent.offer.reference, "isUpgraded": ["type": "boolean"],
            ]
            for member in FactSchemas.revocation.members { properties.set(member.key, member.value) }
            properties.set("signedDate", ["type": "string", "format": "date-time"])
            return FactSchemas.object(properties)
        }

        static let renewalSchema: JSONValue = [
            "type": ["object", "null"],
            "description": "What was last said about the renewal in this period; null: nothing.",
            "required": [
                "autoRenewStatus", "autoRenewProductId", "isInBillingRetryPeriod", "gracePeriodExpiresDate",
                "expirationIntent", "renewalDate", "priceIncreaseStatus", "renewalPrice", "currency", "offer",
                "signedDate",
            ],
            "properties": [
                "autoRenewStatus": ["type": ["integer", "null"], "enum": [0, 1, nil]],
                "autoRenewProductId": FactSchemas.text,
                "isInBillingRetryPeriod": ["type": "boolean"],
                "gracePeriodExpiresDate": FactSchemas.time,
                "expirationIntent": FactSchemas.number,
                "renewalDate": FactSchemas.time,
                "priceIncreaseStatus": FactSchemas.number,
                "renewalPrice": [
                    "type": ["integer", "null"], "description": "In thousandths of the currency's unit.",
                ],
                "currency": FactSchemas.text,
                "offer": SchemaComponent.offer.reference,
                "signedDate": ["type": "string", "format": "date-time"],
            ],
        ]
    }

    package static let name = "subscriptions.status"
    package static let scope: Scope? = .read
    package static let summary =
        "The renewal state of each subscription group of a key, with the latest transaction and renewal info."
    package static let declared = EntitlementsGet.declared
    package static let reasons: [ErrorReason] = [.notFound, .positionNotReached]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        try EntitlementsGet.read(reader)
    }
}
