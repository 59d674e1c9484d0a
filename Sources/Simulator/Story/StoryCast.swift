package import JSON

/// The products that a story is told with.
package struct StoryCast: Sendable, Hashable {
    /// The monthly plan that the account subscribes to.
    package var plan: String
    /// The group of the plan.
    package var group: String?
    /// A monthly plan of a higher level in the same group; nil: the story has no upgrade.
    package var upgrade: String?
    /// A purchase without an end; nil: the story has none.
    package var lifetime: String?
    /// A consumable; nil: the story has none.
    package var consumable: String?

    /// A cast by name.
    package init(plan: String, group: String?, upgrade: String?, lifetime: String?, consumable: String?) {
        self.plan = plan
        self.group = group
        self.upgrade = upgrade
        self.lifetime = lifetime
        self.consumable = consumable
    }

    /// The cast that a catalog offers: the monthly plan of the lowest level that has one above it in its group, or else
    /// any monthly plan. Nil when the catalog has no monthly plan.
    package init?(catalog: JSONValue) {
        struct Plan {
            let id: String
            let group: String?
            let level: Int64
        }
        let products = catalog["products"]?.arrayValue ?? []
        func first(_ type: String) -> String? {
            products.first { $0["type"]?.stringValue == type }?["productId"]?.stringValue
        }
        let plans = products.compactMap { product -> Plan? in
            guard product["type"]?.stringValue == "autoRenewable", product["period"]?.stringValue == "P1M",
                let id = product["productId"]?.stringValue
            else { return nil }
            let level = product["level"]?.int64Value ?? .max
            return Plan(id: id, group: product["subscriptionGroup"]?.stringValue, level: level)
        }
        func upgrade(of plan: Plan) -> Plan? {
            plans.first { $0.group != nil && $0.group == plan.group && $0.level < plan.level }
        }
        guard let plan = plans.first(where: { upgrade(of: $0) != nil }) ?? plans.first else { return nil }
        self.init(
            plan: plan.id,
            group: plan.group,
            upgrade: upgrade(of: plan)?.id,
            lifetime: first("nonConsumable"),
            consumable: first("consumable")
        )
    }
}
