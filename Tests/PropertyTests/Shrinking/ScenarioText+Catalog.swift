import EntitlementDomain
import JSON

extension ScenarioText {
    /// The catalog of the histories.
    var catalog: JSONValue {
        let catalog = History.catalog
        return [
            "entitlements": .array(catalog.entitlements.map { ["id": .string($0)] }),
            "currencies": .array(catalog.currencies.map { ["id": .string($0)] }),
            "products": .array(catalog.products.values.sorted { $0.id < $1.id }.map(Self.product)),
        ]
    }

    private static func product(_ product: Product) -> JSONValue {
        var object: JSONObject = ["productId": .string(product.id), "type": .string(product.type.rawValue)]
        if let group = product.subscriptionGroup { object.append("subscriptionGroup", .string(group)) }
        if let level = product.level { object.append("level", JSONValue(level)) }
        if let duration = product.duration { object.append("duration", .string(duration.iso8601)) }
        if product.type == .nonRenewing { object.append("stacking", .bool(product.stacking)) }
        if product.type == .consumable {
            let credits = product.credits.sorted { $0.key < $1.key }
            object.append(
                "credits",
                .object(JSONObject(credits.map { JSONObject.Member(key: $0.key, value: JSONValue($0.value)) }))
            )
        } else {
            object.append("grants", .array(product.grants.map { .string($0) }))
        }
        if let access = product.refundAccess { object.append("refundAccess", .string(access.rawValue)) }
        return .object(object)
    }
}
