import EntitlementDomain
import JSON

/// Schemas of what `entitlements.explain` answers.
enum ExplainSchemas {
    static let result: JSONValue = FactSchemas.object([
        "position": SchemaComponent.position.reference,
        "at": ["type": "string", "format": "date-time"],
        "entitlements": ["type": "array", "items": entitlement],
        "holds": ["type": "array", "items": hold],
        "nextChangeAt": FactSchemas.time,
        "olderEventsLeftOut": ["type": "boolean"],
    ])

    private static let entitlement = FactSchemas.object([
        "answer": SchemaComponent.entitlement.reference,
        "source": described(SchemaComponent.entitlementSource.reference, "The source that decided."),
        "rule": FactSchemas.object([
            "code": [
                "type": "string", "enum": .array(EntitlementRule.allCases.map { .string($0.rawValue) }),
            ],
            "sentence": ["type": "string", "description": "The rule in words, to be read to a customer."],
        ]),
        "facts": facts,
        "renewalInfo": SubscriptionsStatus.Response.renewalSchema,
        "grant": grant,
        "events": ["type": "array", "items": event],
    ])

    /// A reference with words beside it, which JSON Schema ignores where `$ref` stands.
    private static func described(_ reference: JSONValue, _ words: String) -> JSONValue {
        ["allOf": [reference], "description": .string(words)]
    }

    /// The same object, or null.
    private static func orNull(_ properties: JSONObject, _ words: String) -> JSONValue {
        var schema = FactSchemas.object(properties).objectValue ?? [:]
        schema.set("type", ["object", "null"])
        schema.set("description", .string(words))
        return .object(schema)
    }

    private static var facts: JSONValue {
        var properties: JSONObject = [
            "transactionId": ["type": "string"], "originalTransactionId": ["type": "string"],
            "webOrderLineItemId": FactSchemas.text, "productId": ["type": "string"],
            "quantity": ["type": "integer", "minimum": 1],
            "inAppOwnershipType": ["type": "string", "enum": ["PURCHASED", "FAMILY_SHARED"]],
            "transactionReason": ["type": ["string", "null"], "enum": ["PURCHASE", "RENEWAL", nil]],
            "purchaseDate": ["type": "string", "format": "date-time"],
            "originalPurchaseDate": FactSchemas.time, "expiresDate": FactSchemas.time,
            "offer": SchemaComponent.offer.reference, "isUpgraded": ["type": "boolean"],
        ]
        for member in FactSchemas.revocation.members { properties.set(member.key, member.value) }
        properties.set("signedDate", ["type": "string", "format": "date-time"])
        return orNull(properties, "What the App Store last signed of the transaction that decides; null for a grant.")
    }

    private static let grant = orNull(
        [
            "grantId": ["type": "string", "format": "uuid"], "reason": FactSchemas.text,
            "startsAt": ["type": "string", "format": "date-time"],
            "expiresAt": FactSchemas.time, "revokedAt": FactSchemas.time,
        ],
        "The grant that decides; null for a purchase."
    )

    private static let hold = FactSchemas.object([
        "holdId": ["type": "string", "format": "uuid"],
        "on": ["type": "boolean", "description": "Whether it is on at the instant asked about."],
        "owner": described(["type": ["string", "null"]], "Who placed it and is to lift it."),
        "reason": FactSchemas.text,
        "entitlement": described(["type": ["string", "null"]], "What is held; null: all."),
        "originalTransactionId": described(["type": ["string", "null"]], "The line that is held; null: the account."),
        "placedAt": ["type": "string", "format": "date-time"],
        "liftedAt": FactSchemas.time,
    ])

    private static let event = FactSchemas.object([
        "position": SchemaComponent.position.reference,
        "type": ["type": "string", "enum": .array(EventType.allCases.map { .string($0.rawValue) })],
        "source": EventsList.Event.sourceSchema,
        "transactionId": FactSchemas.text,
        "signedAt": FactSchemas.time,
        "recordedAt": ["type": "string", "format": "date-time"],
        "evidence": EventsList.Event.evidenceSchema,
    ])
}
