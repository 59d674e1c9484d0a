package import EntitlementDomain
package import JSON
package import JSONRPC

/// `purchases.list`: what a key has bought, newest first.
package enum PurchasesList: APIMethod {
    package struct Parameters: Sendable, Hashable {
        package var key: KeyParameters
        /// The most purchases.
        package var limit: Int64
        /// The instant asked about; nil: all that is recorded.
        package var at: Instant?
    }

    package struct Response: APIResponse {
        package var key: KeyParameters.Subject
        package var environment: StoreEnvironment
        package var history: PurchaseHistory
        package var position: LogPosition

        package init(
            key: KeyParameters.Subject,
            environment: StoreEnvironment,
            history: PurchaseHistory,
            position: LogPosition
        ) {
            self.key = key
            self.environment = environment
            self.history = history
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
            writer.key("lines")
            writer.beginArray()
            for line in history.lines { write(line, to: &writer) }
            writer.endArray()
            writer.member("hasMore", history.isShortened)
            writer.endObject()
        }

        private func write(_ line: PurchaseHistory.Line, to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("originalTransactionId", line.id.originalTransactionID)
            writer.member("bundleId", line.id.bundleID)
            writer.member("environment", line.id.environment.rawValue)
            writer.member("ownership", line.id.ownership.rawValue)
            writer.member("owned", line.isOwned)
            writer.member("productType", line.type?.rawValue)
            writer.member("mapped", line.unmappedProductIDs.isEmpty)
            writer.key("unmappedProductIds")
            writer.beginArray()
            for id in line.unmappedProductIDs { writer.string(id) }
            writer.endArray()
            writer.key("purchases")
            writer.beginArray()
            for purchase in line.purchases { write(purchase, to: &writer) }
            writer.endArray()
            writer.endObject()
        }

        private func write(_ purchase: Purchase, to writer: inout JSONWriter) {
            let facts = purchase.newest
            writer.beginObject()
            writer.member("transactionId", facts.transactionID)
            writer.key("transactionIds")
            writer.beginArray()
            for id in purchase.transactionIDs { writer.string(id) }
            writer.endArray()
            writer.member("productId", facts.productID)
            writer.member("purchaseDate", facts.purchasedAt.iso8601)
            writer.member("expiresDate", facts.expiresAt?.iso8601)
            writer.member("quantity", Int64(facts.quantity))
            writer.member("isUpgraded", facts.isUpgraded)
            writer.offer("offer", facts.offer)
            writer.revocation(history.revokedAt(purchase), of: facts)
            writer.member("webOrderLineItemId", facts.webOrderLineItemID)
            writer.endObject()
        }

        package static var schema: JSONValue {
            [
                "type": "object", "required": ["position", "environment", "lines", "hasMore"],
                "properties": [
                    "position": SchemaComponent.position.reference,
                    "account": ["type": "string", "format": "uuid"],
                    "originalTransactionId": ["type": "string"],
                    "environment": ["type": "string"],
                    "lines": ["type": "array", "items": lineSchema],
                    "hasMore": ["type": "boolean", "description": "Whether older purchases were left out."],
                ],
            ]
        }

        private static var lineSchema: JSONValue {
            [
                "type": "object",
                "required": [
                    "originalTransactionId", "bundleId", "environment", "ownership", "owned", "productType", "mapped",
                    "unmappedProductIds", "purchases",
                ],
                "properties": [
                    "originalTransactionId": ["type": "string"],
                    "bundleId": ["type": "string"],
                    "environment": ["type": "string"],
                    "ownership": ["type": "string", "enum": ["PURCHASED", "FAMILY_SHARED"]],
                    "owned": ["type": "boolean", "description": "Whether an account owns the line."],
                    "productType": [
                        "type": ["string", "null"],
                        "enum": .array(ProductType.allCases.map { .string($0.rawValue) } + [nil]),
                    ],
                    "mapped": [
                        "type": "boolean",
                        "description": "Whether the catalog knows every product that was ever bought in the line.",
                    ],
                    "unmappedProductIds": ["type": "array", "items": ["type": "string"]],
                    "purchases": ["type": "array", "items": purchaseSchema],
                ],
            ]
        }

        private static var purchaseSchema: JSONValue {
            var properties: JSONObject = [
                "transactionId": ["type": "string", "description": "Of the version signed last."],
                "transactionIds": [
                    "type": "array", "items": ["type": "string"],
                    "description": "All ids that devices and restores gave this purchase.",
                ],
                "productId": ["type": "string"],
                "purchaseDate": ["type": "string", "format": "date-time"],
                "expiresDate": FactSchemas.time,
                "quantity": ["type": "integer", "minimum": 1],
                "isUpgraded": ["type": "boolean"],
                "offer": SchemaComponent.offer.reference,
            ]
            for member in FactSchemas.revocation.members { properties.set(member.key, member.value) }
            properties.set("webOrderLineItemId", FactSchemas.text)
            return FactSchemas.object(properties)
        }
    }

    private static let limit = CommonParameters.integer("limit", "The most purchases; default 100.", in: 1...1_000)

    private static let at = CommonParameters.time(
        "at",
        "The instant asked about: purchases and revocations dated up to it; default all that is recorded."
    )

    package static let name = "purchases.list"
    package static let scope: Scope? = .read
    package static let summary = "The lines of purchases of an account, or those under an original transaction id."
    package static let declared = KeyParameters.declared + [limit.described, at.described]
    package static let reasons: [ErrorReason] = [.notFound, .positionNotReached]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        Parameters(
            key: try KeyParameters(reader),
            limit: try reader.optional(limit) ?? 100,
            at: try reader.optional(at)
        )
    }
}
