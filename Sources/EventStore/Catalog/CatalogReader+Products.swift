import EntitlementDomain
import JSON

extension CatalogReader {
    private static let productMembers = [
        "productId", "name", "type", "grants", "subscriptionGroup", "level", "period", "duration", "stacking",
        "credits", "refundAccess", "renewalLeeway", "familyShareable", "billingPlans", "offers",
    ]

    mutating func readProduct(_ value: JSONValue, at path: [JSONPathElement]) -> Product? {
        guard let object = value.objectValue else {
            report(path, "a product must be an object, not \(value.phrase)")
            return nil
        }
        checkKeys(of: object, at: path, known: Self.productMembers)
        let id = readID(object, at: path)
        let type = readType(object, at: path)
        // Read whatever is known of it, so that its other problems are reported too.
        var product = Product(id: id ?? "", type: type ?? .nonConsumable)
        product.grants = readGrants(object["grants"], at: path + ["grants"])
        product.subscriptionGroup = readText(object["subscriptionGroup"], at: path + ["subscriptionGroup"])
        product.level = readLevel(object["level"], at: path + ["level"])
        product.period = readDuration(object["period"], at: path + ["period"])
        product.duration = readPassDuration(object, id: id, type: type, at: path)
        product.stacking = readFlag(object["stacking"], at: path + ["stacking"])
        product.credits = readCredits(object["credits"], at: path + ["credits"])
        product.refundAccess = readRefundAccess(object["refundAccess"], at: path + ["refundAccess"])
        product.renewalLeeway = readDuration(object["renewalLeeway"], at: path + ["renewalLeeway"], mayBeZero: true)
        readInformation(object, type: type, at: path)
        guard let type else { return nil }
        checkMembers(object, of: type, at: path)
        checkYield(object, of: type, at: path)
        if type == .autoRenewable, let group = product.subscriptionGroup {
            subscriptions.append(
                CatalogSubscription(
                    path: path,
                    group: group,
                    level: product.level,
                    isLevelGiven: object["level"] != nil
                )
            )
        }
        return id == nil ? nil : product
    }

    private mutating func readID(_ object: JSONObject, at path: [JSONPathElement]) -> String? {
        let place = path + ["productId"]
        guard let id = readText(object["productId"], at: place, required: true) else { return nil }
        if let first = productPaths[id] {
            report(place, "product \"\(id)\" is listed twice, first on line \(line(of: first))")
            return nil
        }
        productPaths[id] = place
        return id
    }

    private mutating func readType(_ object: JSONObject, at path: [JSONPathElement]) -> ProductType? {
        guard let name = readText(object["type"], at: path + ["type"], required: true) else { return nil }
        if let type = ProductType(rawValue: name) { return type }
        let known = ProductType.allCases.map(\.rawValue).joined(separator: ", ")
        report(path + ["type"], "\"\(name)\" is no product type; known: \(known)")
        return nil
    }

    private mutating func readLevel(_ value: JSONValue?, at path: [JSONPathElement]) -> Int? {
        guard let value else { return nil }
        if let level = value.int64Value, (1...9_999).contains(level) { return Int(level) }
        report(path, "must be a whole number from 1: 1 is the highest level of service in the group")
        return nil
    }

    private mutating func readPassDuration(
        _ object: JSONObject,
        id: String?,
        type: ProductType?,
        at path: [JSONPathElement]
    ) -> CalendarDuration? {
        let place = path + ["duration"]
        let value = object["duration"]
        guard type == .nonRenewing, value == nil || value?.isNull == true else { return readDuration(value, at: place) }
        report(
            place,
            "is missing: write how long \(id.map { "\"\($0)\"" } ?? "the pass") lasts, such as \"P30D\"; the App Store "
                + "gives a pass no end"
        )
        return nil
    }

    private mutating func readRefundAccess(_ value: JSONValue?, at path: [JSONPathElement]) -> RefundAccess? {
        guard let text = readText(value, at: path) else { return nil }
        if let access = RefundAccess(rawValue: text) { return access }
        report(path, "must be \"immediate\" or \"endOfPeriod\"")
        return nil
    }

    private mutating func readGrants(_ value: JSONValue?, at path: [JSONPathElement]) -> [String] {
        var grants: [String] = []
        for (index, element) in readList(value, at: path, of: "entitlement ids").enumerated() {
            let place = path + [.index(index)]
            guard let id = readText(element, at: place, required: true) else { continue }
            if entitlements.paths[id] == nil {
                report(place, "entitlement \"\(id)\" is not listed in entitlements")
            } else if grants.contains(id) {
                report(place, "entitlement \"\(id)\" is granted twice")
            } else {
                entitlements.used.insert(id)
                grants.append(id)
            }
        }
        return grants
    }

    private mutating func readCredits(_ value: JSONValue?, at path: [JSONPathElement]) -> [String: Int64] {
        guard let value else { return [:] }
        guard let object = value.objectValue else {
            report(path, "must be an object: currency id -> units, not \(value.phrase)")
            return [:]
        }
        var credits: [String: Int64] = [:]
        for member in object.members {
            let place = path + [.key(member.key)]
            if currencies.paths[member.key] == nil {
                report(place, "currency \"\(member.key)\" is not listed in currencies")
            }
            currencies.used.insert(member.key)
            if let units = readPositive(member.value, at: place) { credits[member.key] = units }
        }
        return credits
    }
}
