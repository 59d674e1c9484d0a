import EntitlementDomain
import JSON

extension CatalogReader {
    /// Which products may have a member that not all of them have.
    private static let owners: [(member: String, types: Set<ProductType>, rule: String)] = [
        ("subscriptionGroup", [.autoRenewable], "only an autoRenewable product has a subscriptionGroup"),
        ("level", [.autoRenewable], "only an autoRenewable product has a level"),
        ("period", [.autoRenewable], "only an autoRenewable product has a period"),
        ("renewalLeeway", [.autoRenewable], "only an autoRenewable product has a renewalLeeway"),
        ("billingPlans", [.autoRenewable], "only an autoRenewable product has billingPlans"),
        ("duration", [.nonRenewing], "only a nonRenewing product has a duration"),
        ("stacking", [.nonRenewing], "only a nonRenewing product can stack"),
        ("credits", [.consumable], "only a consumable has credits"),
        ("offers", [.autoRenewable, .nonConsumable, .consumable], "a nonRenewing product has no offers"),
    ]

    /// What belongs to a kind of product, and what does not.
    mutating func checkMembers(_ object: JSONObject, of type: ProductType, at path: [JSONPathElement]) {
        for owner in Self.owners where object[owner.member] != nil && !owner.types.contains(type) {
            report(path + [.key(owner.member)], owner.rule)
        }
        if type == .autoRenewable, object["subscriptionGroup"] == nil {
            report(path, "an autoRenewable product needs subscriptionGroup")
        }
        if type == .consumable, let grants = object["grants"], grants.arrayValue?.isEmpty != true {
            report(path + ["grants"], "a consumable grants no entitlement; it has credits")
        }
    }

    /// A product that gives nothing is most likely one that was not finished.
    mutating func checkYield(_ object: JSONObject, of type: ProductType, at path: [JSONPathElement]) {
        if type == .consumable {
            let credits = object["credits"]
            if credits == nil || credits?.objectValue?.isEmpty == true {
                warn(path + ["credits"], "this product credits nothing")
            }
        } else if object["grants"] == nil || object["grants"]?.arrayValue?.isEmpty == true {
            warn(path + ["grants"], "this product grants nothing")
        }
        if type == .consumable || type == .nonRenewing, object["familyShareable"]?.boolValue == true {
            warn(
                path + ["familyShareable"],
                "the App Store shares neither consumables nor non-renewing subscriptions with a family"
            )
        }
    }

    /// Levels and spellings of subscription groups. A move between two products is an upgrade or a downgrade by their
    /// levels, so within a group all products have one or none has.
    mutating func compareSubscriptions() {
        var unseen = Dictionary(grouping: subscriptions, by: \.group)
        var spellings: [String: String] = [:]
        for first in subscriptions {
            let group = first.group
            guard let members = unseen.removeValue(forKey: group) else { continue }
            if let other = spellings[group.lowercased()] {
                warn(
                    first.path + ["subscriptionGroup"],
                    "group \"\(group)\" differs from \"\(other)\" only in case: they are two groups"
                )
            } else {
                spellings[group.lowercased()] = group
            }
            compareLevels(members, group: group)
        }
    }

    private mutating func compareLevels(_ members: [CatalogSubscription], group: String) {
        guard members.contains(where: \.isLevelGiven) else { return }
        for member in members where !member.isLevelGiven {
            report(
                member.path + ["level"],
                "is missing: other products of group \"\(group)\" have a level; 1 is the highest"
            )
        }
        let best = members.filter { $0.level != nil }.min { ($0.level ?? 0) < ($1.level ?? 0) }
        guard members.allSatisfy({ $0.level != nil }), let best, let level = best.level, level > 1 else { return }
        warn(
            best.path + ["level"],
            "group \"\(group)\" has no product of level 1, which is the highest; its best is \(level)"
        )
    }
}
