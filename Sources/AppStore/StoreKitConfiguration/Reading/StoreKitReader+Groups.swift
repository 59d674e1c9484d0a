import EntitlementDomain
import JSON

extension StoreKitReader {
    /// The subscription periods that the App Store offers.
    static let soldPeriods = ["P1W", "P1M", "P2M", "P3M", "P6M", "P1Y"]

    mutating func readGroup(_ value: JSONValue, at path: [JSONPathElement]) -> StoreKitSubscriptionGroup? {
        guard let object = members(value, at: path) else { return nil }
        let id = requiredText(object, "id", at: path)
        let name = requiredText(object, "name", at: path)
        var subscriptions: [StoreKitSubscription] = []
        var paths: [[JSONPathElement]] = []
        let elements = list(object, "subscriptions", at: path)
        for element in elements {
            guard let subscription = readSubscription(element.value, at: element.path, group: id) else { continue }
            subscriptions.append(subscription)
            paths.append(element.path)
        }
        if elements.isEmpty { warn(path, "the group has no subscriptions") }
        warnOfInvertedLevels(subscriptions, paths)
        guard let id, let name else { return nil }
        return StoreKitSubscriptionGroup(id: id, name: name, subscriptions: subscriptions)
    }

    private mutating func readSubscription(
        _ value: JSONValue,
        at path: [JSONPathElement],
        group: String?
    ) -> StoreKitSubscription? {
        let product = readProduct(value, at: path, in: .subscriptions)
        guard let object = value.objectValue else { return nil }
        if let group, let named = name(object, "subscriptionGroupID", at: path), named != group {
            report(
                path + ["subscriptionGroupID"],
                "the subscription stands in group \"\(group)\" and names group \"\(named)\""
            )
        }
        let level = required(object, "groupNumber", at: path)
            .flatMap { wholeNumber($0, at: path + ["groupNumber"], ": 1 is the highest level of the group") }
        let period = duration(object, "recurringSubscriptionPeriod", at: path)
        if let period, !Self.soldPeriods.contains(period) {
            warn(
                path + ["recurringSubscriptionPeriod"],
                "the App Store sells no period \"\(period)\"; it has \(Self.soldPeriods.joined(separator: ", "))"
            )
        }
        let offers = readOffers(object, at: path)
        let plans = readBillingPlans(object, at: path)
        guard let product, let level, let period else { return nil }
        return StoreKitSubscription(
            product: product,
            level: level,
            period: period,
            offers: offers,
            billingPlans: plans
        )
    }

    private mutating func readBillingPlans(_ object: JSONObject, at path: [JSONPathElement]) -> [BillingPlanType] {
        var plans: [BillingPlanType] = []
        for element in list(object, "billingPlans", at: path) {
            guard let plan = members(element.value, at: element.path),
                let type = requiredText(plan, "billingPlanType", at: element.path),
                flag(plan, "isEnabled", at: element.path, absent: true)
            else { continue }
            if !plans.contains(BillingPlanType(rawValue: type)) { plans.append(BillingPlanType(rawValue: type)) }
        }
        return plans
    }

    /// Files written by hand often take the larger number for the better level. Prices give it away: of two
    /// subscriptions of one period the higher level is hardly the cheaper one.
    private mutating func warnOfInvertedLevels(_ subscriptions: [StoreKitSubscription], _ paths: [[JSONPathElement]]) {
        for (index, high) in subscriptions.enumerated() {
            guard let highPrice = high.product.price else { continue }
            let low = subscriptions.first { low in
                low.period == high.period && low.level > high.level && low.product.price.map { $0 > highPrice } ?? false
            }
            guard let low else { continue }
            warn(
                paths[index] + ["groupNumber"],
                "level 1 is the highest, yet \"\(high.product.productID)\" of level \(high.level) costs less than "
                    + "\"\(low.product.productID)\" of level \(low.level): the levels look inverted"
            )
            return
        }
    }
}
