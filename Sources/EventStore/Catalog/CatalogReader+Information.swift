import EntitlementDomain
import JSON

/// Members for people and other programs: checked, and kept in the document only.
extension CatalogReader {
    private static let offerTypes = (1...4).map { Offer(type: $0).typeName }
    private static let discountTypes = ["FREE_TRIAL", "PAY_AS_YOU_GO", "PAY_UP_FRONT", "ONE_TIME"]

    mutating func readInformation(_ object: JSONObject, type: ProductType?, at path: [JSONPathElement]) {
        _ = readText(object["name"], at: path + ["name"])
        _ = readFlag(object["familyShareable"], at: path + ["familyShareable"])
        readBillingPlans(object["billingPlans"], at: path + ["billingPlans"])
        var known: Set<[String?]> = []
        for (index, element) in readList(object["offers"], at: path + ["offers"], of: "offers").enumerated() {
            let place = path + ["offers", .index(index)]
            guard let offer = element.objectValue else {
                report(place, "an offer must be an object, not \(element.phrase)")
                continue
            }
            readOffer(offer, type: type, at: place)
            let key = [offer["type"]?.stringValue, offer["id"]?.stringValue, offer["billingPlan"]?.stringValue]
            if key[0] != nil, !known.insert(key).inserted {
                report(place, "this offer is listed twice (same type, id and billing plan)")
            }
        }
    }

    private mutating func readBillingPlans(_ value: JSONValue?, at path: [JSONPathElement]) {
        var known: Set<String> = []
        for (index, element) in readList(value, at: path, of: "billing plans").enumerated() {
            let place = path + [.index(index)]
            guard let plan = readText(element, at: place) else { continue }
            if !known.insert(plan).inserted { report(place, "\"\(plan)\" is listed twice") }
        }
    }

    private mutating func readOffer(_ offer: JSONObject, type: ProductType?, at path: [JSONPathElement]) {
        checkKeys(of: offer, at: path, known: ["type", "id", "discountType", "period", "periods", "billingPlan"])
        let kind = readName(offer["type"], at: path + ["type"], of: Self.offerTypes, required: true)
        if kind == "introductory" {
            if offer["id"] != nil { report(path + ["id"], "an introductory offer has no id") }
        } else {
            _ = readText(offer["id"], at: path + ["id"], required: kind != nil)
        }
        let discount = readName(
            offer["discountType"],
            at: path + ["discountType"],
            of: Self.discountTypes,
            required: true
        )
        _ = readDuration(offer["period"], at: path + ["period"])
        _ = readPositive(offer["periods"], at: path + ["periods"], limit: 9_999)
        _ = readText(offer["billingPlan"], at: path + ["billingPlan"])
        if let discount {
            let isOneTime = discount == "ONE_TIME"
            if isOneTime, offer["period"] != nil { report(path + ["period"], "a ONE_TIME offer has no period") }
            if !isOneTime, offer["period"] == nil { report(path + ["period"], "is missing") }
            if let type, isOneTime == (type == .autoRenewable) {
                let rule = isOneTime ? "a subscription has no ONE_TIME offer" : "only a subscription has such an offer"
                report(path + ["discountType"], "\(rule); other products have offer codes of ONE_TIME")
            }
        }
    }
}
