import EntitlementDomain
import JSON

extension JSONWriter {
    /// An offer as a member; null without one.
    mutating func offer(_ name: String, _ offer: Offer?) {
        nullable(name, offer) { writer, offer in
            writer.beginObject()
            writer.member("type", offer.typeName)
            writer.member("id", offer.identifier)
            writer.member("discountType", offer.discountType)
            writer.member("period", offer.period)
            writer.endObject()
        }
    }

    /// The members about a revocation, by the App Store's names; all null when none stands.
    ///
    /// - Parameter revokedAt: the revocation that stands.
    mutating func revocation(_ revokedAt: Instant?, of facts: TransactionFacts) {
        member("revocationDate", revokedAt?.iso8601)
        member("revocationReason", revokedAt == nil ? nil : facts.revocationReason.map(Int64.init))
        member("revocationType", revokedAt == nil ? nil : facts.revocationKind.rawValue)
        member("revocationPercentage", revokedAt == nil ? nil : facts.revocationPercentage.map(Int64.init))
    }
}

/// Schemas of what the writers above write.
enum FactSchemas {
    static let text: JSONValue = ["type": ["string", "null"]]
    static let number: JSONValue = ["type": ["integer", "null"]]
    static let time: JSONValue = ["type": ["string", "null"], "format": "date-time"]

    /// An object with these members, all of them always there.
    static func object(_ properties: JSONObject) -> JSONValue {
        ["type": "object", "required": .array(properties.keys.map { .string($0) }), "properties": .object(properties)]
    }

    static let offer: JSONValue = [
        "type": ["object", "null"], "required": ["type", "id", "discountType", "period"],
        "properties": ["type": ["type": "string"], "id": text, "discountType": text, "period": text],
        "description": "The offer that a period was bought under; null: none.",
    ]

    static let revocation: JSONObject = [
        "revocationDate": time,
        "revocationReason": ["type": ["integer", "null"], "description": "0 other, 1 an issue in the app."],
        "revocationType": [
            "type": ["string", "null"], "enum": ["REFUND_FULL", "REFUND_PRORATED", "FAMILY_REVOKE", nil],
        ],
        "revocationPercentage": ["type": ["integer", "null"], "description": "In thousandths of a per cent."],
    ]
}
