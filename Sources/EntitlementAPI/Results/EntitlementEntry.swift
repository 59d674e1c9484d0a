package import EntitlementDomain
package import JSON

/// One entitlement of a key as it goes over the wire.
package struct EntitlementEntry: Sendable, APIResponse {
    package var entitlement: Entitlement

    package init(_ entitlement: Entitlement) {
        self.entitlement = entitlement
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("entitlement", entitlement.id)
        let start = writer.bytes.count
        Self.write(entitlement.decisive, to: &writer)
        let members = start..<writer.bytes.count
        writer.key("sources")
        writer.beginArray()
        // The first is the one that decides.
        writer.beginObject()
        writer.repeatMembers(members)
        writer.endObject()
        for source in entitlement.sources.dropFirst() {
            writer.beginObject()
            Self.write(source, to: &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
    }

    static func write(_ source: EntitlementSource, to writer: inout JSONWriter) {
        writer.member("active", source.isActive)
        writer.member("state", source.answeredState.rawValue)
        if source.isInLeeway { writer.member("leeway", true) }
        if source.isHeld { writer.member("held", true) }
        writer.member("productId", source.productID)
        writer.member("productType", source.productType?.rawValue)
        writer.member("originalTransactionId", source.originalTransactionID)
        writer.member("transactionId", source.transactionID)
        writer.member("startsAt", source.startsAt.iso8601)
        writer.member("expiresAt", source.expiresAt?.iso8601)
        writer.member("gracePeriodExpiresAt", source.gracePeriodExpiresAt?.iso8601)
        writer.nullable("willRenew", source.willRenew) { $0.bool($1) }
        writer.member("pendingProductId", source.pendingProductID)
        writer.member("ownership", source.ownership?.rawValue)
        writer.nullable("offer", source.offer) { writer, offer in
            writer.beginObject()
            writer.member("type", offer.typeName)
            writer.member("id", offer.identifier)
            writer.member("discountType", offer.discountType)
            writer.member("period", offer.period)
            writer.endObject()
        }
        writer.member("revokedAt", source.revokedAt?.iso8601)
        writer.member("store", source.store.rawValue)
        writer.member("bundleId", source.bundleID)
        if let grantID = source.grantID { writer.member("grantId", grantID.description) }
    }

    package static var schema: JSONValue {
        var properties: JSONObject = ["entitlement": ["type": "string"]]
        for member in sourceProperties.members { properties.set(member.key, member.value) }
        properties.set(
            "sources",
            [
                "type": "array", "items": SchemaComponent.entitlementSource.reference,
                "description": "Everything that gives or gave it, the best first.",
            ]
        )
        return [
            "type": "object", "required": .array(["entitlement"] + requiredMembers + ["sources"]),
            "properties": .object(properties),
            "description": "An entitlement, as its best source decides it.",
        ]
    }

    /// The schema of one source.
    package static var sourceSchema: JSONValue {
        ["type": "object", "required": .array(requiredMembers), "properties": .object(sourceProperties)]
    }

    /// The members that are always there; the others only when they say something.
    private static var requiredMembers: [JSONValue] {
        sourceProperties.keys.filter { !["leeway", "held", "grantId"].contains($0) }.map { .string($0) }
    }

    private static var sourceProperties: JSONObject {
        let time: JSONValue = ["type": ["string", "null"], "format": "date-time"]
        let text: JSONValue = ["type": ["string", "null"]]
        return [
            "active": ["type": "boolean", "description": "Whether access is on at the instant asked about."],
            "state": ["type": "string", "enum": .array(EntitlementState.allCases.map { .string($0.rawValue) })],
            "leeway": [
                "type": "boolean",
                "description": "Present and true while access goes on only because a renewal is expected.",
            ],
            "held": ["type": "boolean", "description": "Present and true while a hold takes the access away."],
            "grantId": ["type": "string", "format": "uuid", "description": "Only for a grant."],
            "productId": text, "productType": text, "originalTransactionId": text, "transactionId": text,
            "startsAt": ["type": "string", "format": "date-time"],
            "expiresAt": time, "gracePeriodExpiresAt": time,
            "willRenew": ["type": ["boolean", "null"], "description": "null: unknown, or nothing to renew."],
            "pendingProductId": text,
            "ownership": ["type": ["string", "null"], "enum": ["PURCHASED", "FAMILY_SHARED", nil]],
            "offer": SchemaComponent.offer.reference,
            "revokedAt": time, "store": ["type": "string"], "bundleId": text,
        ]
    }
}
