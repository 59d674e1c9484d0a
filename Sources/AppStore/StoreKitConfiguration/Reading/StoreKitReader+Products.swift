import EntitlementDomain
import JSON

extension StoreKitReader {
    /// The lists in which products stand, each with the types that belong there.
    enum ProductList: CaseIterable {
        case products
        case passes
        case subscriptions

        /// How messages name it.
        var name: String {
            switch self {
            case .products: "products"
            case .passes: "nonRenewingSubscriptions"
            case .subscriptions: "subscriptionGroups[].subscriptions"
            }
        }

        var types: [String: ProductType] {
            switch self {
            case .products: ["Consumable": .consumable, "NonConsumable": .nonConsumable]
            case .passes: ["NonRenewingSubscription": .nonRenewing]
            case .subscriptions: ["RecurringSubscription": .autoRenewable]
            }
        }
    }

    /// Reads what all products have.
    mutating func readProduct(
        _ value: JSONValue,
        at path: [JSONPathElement],
        in list: ProductList
    ) -> StoreKitProduct? {
        guard let object = members(value, at: path) else { return nil }
        let id = requiredText(object, "productID", at: path)
        let isFirst = id.map { register($0, at: path + ["productID"]) } ?? false
        let type = readType(object, at: path, in: list)
        let referenceName = name(object, "referenceName", at: path)
        let price = readPrice(object, at: path)
        let isFamilyShareable = flag(object, "familyShareable", at: path)
        if isFamilyShareable, type == .consumable || type == .nonRenewing {
            warn(
                path + ["familyShareable"],
                "the App Store shares neither consumables nor non-renewing subscriptions with a family"
            )
        }
        guard let id, let type, isFirst else { return nil }
        return StoreKitProduct(
            productID: id,
            type: type,
            referenceName: referenceName,
            price: price,
            isFamilyShareable: isFamilyShareable
        )
    }

    private mutating func readType(
        _ object: JSONObject,
        at path: [JSONPathElement],
        in list: ProductList
    ) -> ProductType? {
        guard let text = requiredText(object, "type", at: path) else { return nil }
        if let type = list.types[text] { return type }
        if let right = ProductList.allCases.first(where: { $0.types[text] != nil }) {
            report(path + ["type"], "a \(text) stands in \(right.name), not in \(list.name)")
        } else {
            let known = ProductList.allCases.flatMap(\.types.keys).sorted().joined(separator: ", ")
            report(path + ["type"], "\"\(text)\" is no product type; known: \(known)")
        }
        return nil
    }

    /// Xcode writes a price as text; it is only compared, so a fault in it is no reason to refuse the file.
    private mutating func readPrice(_ object: JSONObject, at path: [JSONPathElement]) -> Double? {
        guard let value = object["displayPrice"], !value.isNull else { return nil }
        guard let text = value.stringValue else {
            warn(path + ["displayPrice"], "Xcode writes a price as text such as \"4.99\", not as \(value.phrase)")
            return nil
        }
        guard text.utf8.allSatisfy({ ($0 >= 0x30 && $0 <= 0x39) || $0 == UInt8(ascii: ".") }) else { return nil }
        return Double(text)
    }
}
