import EntitlementDomain
import JSON

/// Schemas of a catalog's form. What its parts mean for each other only the service checks.
enum CatalogSchemas {
    static let catalog: JSONValue = [
        "type": "object",
        "required": ["products"],
        "properties": [
            "entitlements": ["type": "array", "items": named],
            "currencies": ["type": "array", "items": named],
            "products": ["type": "array", "items": product],
        ],
    ]

    private static let named: JSONValue = [
        "type": "object", "required": ["id"],
        "properties": ["id": ["type": "string", "minLength": 1], "name": ["type": "string"]],
    ]

    private static let duration: JSONValue = ["type": "string", "description": "ISO 8601, such as P1M or P30D."]

    private static let offer: JSONValue = [
        "type": "object", "required": ["type", "discountType"],
        "properties": [
            "type": ["type": "string", "enum": .array((1...4).map { .string(Offer(type: $0).typeName) })],
            "id": ["type": "string", "description": "Of every offer but an introductory one."],
            "discountType": ["type": "string", "enum": ["FREE_TRIAL", "PAY_AS_YOU_GO", "PAY_UP_FRONT", "ONE_TIME"]],
            "period": duration,
            "periods": ["type": "integer", "minimum": 1],
            "billingPlan": ["type": "string"],
        ],
    ]

    private static let product: JSONValue = [
        "type": "object", "required": ["productId", "type"],
        "properties": [
            "productId": ["type": "string", "minLength": 1],
            "name": ["type": "string"],
            "type": ["type": "string", "enum": .array(ProductType.allCases.map { .string($0.rawValue) })],
            "grants": ["type": "array", "items": ["type": "string"], "description": "Entitlements, by id."],
            "subscriptionGroup": ["type": "string", "description": "Needed by an autoRenewable product."],
            "level": ["type": "integer", "minimum": 1, "description": "The rank in the group; 1 is the highest."],
            "period": duration,
            "duration": duration,
            "stacking": ["type": "boolean"],
            "credits": ["type": "object", "additionalProperties": ["type": "integer", "minimum": 1]],
            "refundAccess": ["type": "string", "enum": ["immediate", "endOfPeriod"]],
            "renewalLeeway": duration,
            "familyShareable": ["type": "boolean"],
            "billingPlans": ["type": "array", "items": ["type": "string"]],
            "offers": ["type": "array", "items": offer],
        ],
    ]
}
