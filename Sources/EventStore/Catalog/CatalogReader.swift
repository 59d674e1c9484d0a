import EntitlementDomain
import JSON

/// Reads a catalog document and collects every problem with its place.
struct CatalogReader {
    private(set) var problems: [CatalogError.Problem] = []
    private let map: JSONSourceMap?

    private var entitlements: Set<String> = []
    private var currencies: Set<String> = []
    /// Per subscription group: the place where each product's level was set.
    private var productIDs: Set<String> = []

    init(bytes: [UInt8]) {
        map = try? JSONSourceMap(bytes)
    }

    mutating func read(_ value: JSONValue) -> Catalog {
        guard let document = value.objectValue else {
            report([], "a catalog must be an object with entitlements, currencies and products")
            return .empty
        }
        for duplicate in map?.duplicateKeys ?? [] { report(duplicate.path, "this member is given twice") }
        checkKeys(of: document, at: [], known: ["entitlements", "currencies", "products"])
        let entitlementIDs = readIDs(document["entitlements"], "entitlements")
        let currencyIDs = readIDs(document["currencies"], "currencies")
        entitlements = Set(entitlementIDs)
        currencies = Set(currencyIDs)
        var products: [Product] = []
        switch document["products"] {
        case nil: report([], "products is missing")
        case .array(let list)?:
            for (index, element) in list.enumerated() {
                if let product = readProduct(element, at: ["products", .index(index)]) { products.append(product) }
            }
        default: report(["products"], "products must be an array")
        }
        return Catalog(entitlements: entitlementIDs, currencies: currencyIDs, products: products)
    }

    // MARK: Parts

    private mutating func readIDs(_ value: JSONValue?, _ name: String) -> [String] {
        guard let value else { return [] }
        guard let list = value.arrayValue else {
            report([.key(name)], "\(name) must be an array of objects with an id")
            return []
        }
        var ids: [String] = []
        for (index, element) in list.enumerated() {
            let path: [JSONPathElement] = [.key(name), .index(index)]
            guard let object = element.objectValue, let id = readText(object["id"], at: path + ["id"], required: true)
            else {
                if element.objectValue == nil { report(path, "must be an object with an id") }
                continue
            }
            checkKeys(of: object, at: path, known: ["id", "name"])
            if ids.contains(id) { report(path + ["id"], "\"\(id)\" is listed twice") } else { ids.append(id) }
        }
        return ids
    }

    private mutating func readProduct(_ value: JSONValue, at path: [JSONPathElement]) -> Product? {
        guard let object = value.objectValue else {
            report(path, "a product must be an object")
            return nil
        }
        checkKeys(
            of: object,
            at: path,
            known: [
                "productId", "name", "type", "grants", "subscriptionGroup", "level", "period", "duration", "stacking",
                "credits", "refundAccess", "renewalLeeway", "familyShareable",
            ]
        )
        let id = readText(object["productId"], at: path + ["productId"], required: true)
        if let id, !productIDs.insert(id).inserted { report(path + ["productId"], "product \"\(id)\" is listed twice") }
        let typeName = readText(object["type"], at: path + ["type"], required: true)
        let type = typeName.flatMap(ProductType.init(rawValue:))
        if let typeName, type == nil {
            let known = ProductType.allCases.map(\.rawValue).joined(separator: ", ")
            report(path + ["type"], "\"\(typeName)\" is no product type; known: \(known)")
        }
        guard let id, let type else { return nil }
        var product = Product(id: id, type: type)
        product.grants = readGrants(object["grants"], at: path + ["grants"])
        product.subscriptionGroup = readText(object["subscriptionGroup"], at: path + ["subscriptionGroup"])
        product.level = readPositive(object["level"], at: path + ["level"]).map(Int.init)
        product.period = readDuration(object["period"], at: path + ["period"])
        product.duration = readDuration(object["duration"], at: path + ["duration"])
        product.renewalLeeway = readDuration(object["renewalLeeway"], at: path + ["renewalLeeway"], mayBeZero: true)
        product.credits = readCredits(object["credits"], at: path + ["credits"])
        if let stacking = object["stacking"] {
            if let value = stacking.boolValue {
                product.stacking = value
            } else {
                report(path + ["stacking"], "must be true or false")
            }
        }
        if let text = readText(object["refundAccess"], at: path + ["refundAccess"]) {
            product.refundAccess = RefundAccess(rawValue: text)
            if product.refundAccess == nil {
                report(path + ["refundAccess"], "must be \"immediate\" or \"endOfPeriod\"")
            }
        }
        check(product, object, at: path)
        return product
    }

    /// What belongs to a kind of product, and what does not.
    private mutating func check(_ product: Product, _ object: JSONObject, at path: [JSONPathElement]) {
        func isGiven(_ key: String) -> Bool { object[key] != nil }
        switch product.type {
        case .autoRenewable:
            if product.subscriptionGroup == nil, !isGiven("subscriptionGroup") {
                report(path, "an autoRenewable product needs subscriptionGroup")
            }
            if isGiven("duration") { report(path + ["duration"], "only a nonRenewing product has a duration") }
        case .nonRenewing:
            if product.duration == nil, !isGiven("duration") {
                report(path, "a nonRenewing product needs duration: the App Store gives a pass no end")
            }
        case .nonConsumable, .consumable:
            if isGiven("duration") { report(path + ["duration"], "only a nonRenewing product has a duration") }
        }
        if product.type != .autoRenewable {
            for key in ["subscriptionGroup", "level", "period", "renewalLeeway"] where isGiven(key) {
                report(path + [.key(key)], "only an autoRenewable product has \(key)")
            }
        }
        if product.type != .nonRenewing, isGiven("stacking") {
            report(path + ["stacking"], "only a nonRenewing product can stack")
        }
        if product.type == .consumable {
            if !product.grants.isEmpty {
                report(path + ["grants"], "a consumable grants no entitlement; it has credits")
            }
        } else if isGiven("credits") {
            report(path + ["credits"], "only a consumable has credits")
        }
    }

    private mutating func readGrants(_ value: JSONValue?, at path: [JSONPathElement]) -> [String] {
        guard let value else { return [] }
        guard let list = value.arrayValue else {
            report(path, "must be an array of entitlement ids")
            return []
        }
        var grants: [String] = []
        for (index, element) in list.enumerated() {
            let place = path + [.index(index)]
            guard let id = readText(element, at: place, required: true) else { continue }
            if !entitlements.contains(id) {
                report(place, "entitlement \"\(id)\" is not listed in entitlements")
            } else if grants.contains(id) {
                report(place, "entitlement \"\(id)\" is granted twice")
            } else {
                grants.append(id)
            }
        }
        return grants
    }

    private mutating func readCredits(_ value: JSONValue?, at path: [JSONPathElement]) -> [String: Int64] {
        guard let value else { return [:] }
        guard let object = value.objectValue else {
            report(path, "must be an object: currency id -> units")
            return [:]
        }
        var credits: [String: Int64] = [:]
        for member in object.members {
            let place = path + [.key(member.key)]
            if !currencies.contains(member.key) {
                report(place, "currency \"\(member.key)\" is not listed in currencies")
            }
            if let units = readPositive(member.value, at: place) { credits[member.key] = units }
        }
        return credits
    }

    // MARK: Values

    private mutating func readText(
        _ value: JSONValue?,
        at path: [JSONPathElement],
        required: Bool = false
    ) -> String? {
        guard let value else {
            if required { report(path, "is missing") }
            return nil
        }
        guard let text = value.stringValue, (1...256).contains(text.utf8.count) else {
            report(path, "must be text of 1 to 256 bytes")
            return nil
        }
        return text
    }

    private mutating func readPositive(_ value: JSONValue?, at path: [JSONPathElement]) -> Int64? {
        guard let value else { return nil }
        guard let number = value.int64Value, number > 0, number <= 1_000_000_000_000 else {
            report(path, "must be a whole number from 1 to 1000000000000")
            return nil
        }
        return number
    }

    private mutating func readDuration(
        _ value: JSONValue?,
        at path: [JSONPathElement],
        mayBeZero: Bool = false
    ) -> CalendarDuration? {
        guard let value else { return nil }
        guard let duration = value.stringValue.flatMap({ CalendarDuration(iso8601: $0) }), mayBeZero || !duration.isZero
        else {
            report(path, "must be an ISO 8601 duration such as \"P1M\" or \"P30D\"")
            return nil
        }
        return duration
    }

    private mutating func checkKeys(of object: JSONObject, at path: [JSONPathElement], known: [String]) {
        for key in object.keys where !known.contains(key) {
            report(path + [.key(key)], "there is no member \"\(key)\" here; known: \(known.joined(separator: ", "))")
        }
    }

    private mutating func report(_ path: [JSONPathElement], _ message: String) {
        var text = ""
        for element in path {
            switch element {
            case .key(let key): text += text.isEmpty ? key : "." + key
            case .index(let index): text += "[\(index)]"
            }
        }
        let line = map?.nearestPosition(to: path).line ?? 1
        problems.append(CatalogError.Problem(line: line, path: text, message: message))
    }
}
