import EntitlementDomain
import JSON

/// Puts the document of a `CatalogDraft` together.
struct CatalogDraftBuilder {
    /// A task whose line is not known yet.
    struct Note {
        var path: [JSONPathElement]
        var message: String
        var isRequired = false

        var place: String {
            path.reduce(into: "") { text, element in
                switch element {
                case .key(let key): text += text.isEmpty ? key : "." + key
                case .index(let index): text += "[\(index)]"
                }
            }
        }
    }

    private(set) var notes: [Note] = []
    private var entitlements: [JSONValue] = []
    private var currencies: [JSONValue] = []
    private var products: [JSONValue] = []
    private var entitlementIDs: Set<String> = []

    var document: JSONValue {
        ["entitlements": .array(entitlements), "currencies": .array(currencies), "products": .array(products)]
    }

    mutating func add(_ configuration: StoreKitConfiguration) {
        for group in configuration.groups where !group.subscriptions.isEmpty { add(group) }
        for product in configuration.products where product.type == .nonConsumable { addUnlock(product) }
        for pass in configuration.passes { addPass(pass) }
        for product in configuration.products where product.type == .consumable { addConsumable(product) }
    }

    // MARK: Kinds of products

    private mutating func add(_ group: StoreKitSubscriptionGroup) {
        let entitlement = addEntitlement(Self.identifier(from: group.name) ?? group.id, name: group.name)
        let levels = Set(group.subscriptions.map(\.level)).sorted()
        if levels.count > 1 {
            let list = levels.map(String.init).joined(separator: ", ")
            note(
                entitlement.path,
                "group \"\(group.name)\" has levels \(list): where a higher level opens more, give it an "
                    + "entitlement of its own"
            )
        }
        for (index, subscription) in group.subscriptions.enumerated() {
            if index == 0, !group.hasAppStoreID {
                note(
                    ["products", .index(products.count), "subscriptionGroup"],
                    "\"\(group.id)\" is Xcode's local id of group \"\(group.name)\"; the App Store's own "
                        + "number stands in App Store Connect"
                )
            }
            var product = start(subscription.product)
            product.append("subscriptionGroup", .string(group.id))
            product.append("level", .init(Int64(subscription.level)))
            product.append("period", .string(subscription.period))
            product.append("grants", [.string(entitlement.id)])
            if subscription.product.isFamilyShareable { product.append("familyShareable", true) }
            if !subscription.billingPlans.isEmpty {
                product.append("billingPlans", .array(subscription.billingPlans.map { .string($0.rawValue) }))
            }
            if !subscription.offers.isEmpty { product.append("offers", .array(subscription.offers.map(Self.offer))) }
            products.append(.object(product))
        }
    }

    private mutating func addUnlock(_ product: StoreKitProduct) {
        let entitlement = addEntitlement(product.productID, name: product.referenceName)
        note(entitlement.path, "named after the product: give it the name of what it opens")
        var object = start(product)
        object.append("grants", [.string(entitlement.id)])
        if product.isFamilyShareable { object.append("familyShareable", true) }
        products.append(.object(object))
    }

    private mutating func addPass(_ product: StoreKitProduct) {
        let entitlement = addEntitlement(product.productID, name: product.referenceName)
        note(entitlement.path, "named after the product: give it the name of what it opens")
        note(
            ["products", .index(products.count), "duration"],
            "write how long \"\(product.productID)\" lasts, such as \"P30D\", and whether passes bought while "
                + "one runs follow each other (stacking)",
            isRequired: true
        )
        var object = start(product)
        object.append("duration", .null)
        object.append("stacking", false)
        object.append("grants", [.string(entitlement.id)])
        products.append(.object(object))
    }

    private mutating func addConsumable(_ product: StoreKitProduct) {
        let id = product.productID
        note(
            ["products", .index(products.count), "credits"],
            "write how many units of which currency \"\(id)\" credits; 1 of \"\(id)\" is a guess"
        )
        currencies.append(Self.named(id, product.referenceName))
        var object = start(product)
        object.append("credits", .object([id: 1]))
        products.append(.object(object))
    }

    // MARK: Parts

    /// The members that every product begins with.
    private func start(_ product: StoreKitProduct) -> JSONObject {
        var object: JSONObject = ["productId": .string(product.productID)]
        if let name = product.referenceName { object.append("name", .string(name)) }
        object.append("type", .string(product.type.rawValue))
        return object
    }

    private static func offer(_ offer: StoreKitOffer) -> JSONValue {
        let fact = Offer(type: offer.kind.rawValue)
        var object: JSONObject = ["type": .string(fact.typeName)]
        if let id = offer.identifier { object.append("id", .string(id)) }
        object.append("discountType", .string(offer.discountType.rawValue))
        object.append("period", .string(offer.period))
        if offer.periodCount != 1 { object.append("periods", .init(Int64(offer.periodCount))) }
        if let plan = offer.billingPlan { object.append("billingPlan", .string(plan.rawValue)) }
        return .object(object)
    }

    private static func named(_ id: String, _ name: String?) -> JSONValue {
        var object: JSONObject = ["id": .string(id)]
        if let name { object.append("name", .string(name)) }
        return .object(object)
    }

    /// Adds an entitlement; a number is put behind an id that is taken, whatever its case.
    private mutating func addEntitlement(_ wanted: String, name: String?) -> (id: String, path: [JSONPathElement]) {
        var id = wanted
        var number = 2
        while !entitlementIDs.insert(id.lowercased()).inserted {
            id = "\(wanted)-\(number)"
            number += 1
        }
        entitlements.append(Self.named(id, name))
        return (id, ["entitlements", .index(entitlements.count - 1), "id"])
    }

    private mutating func note(_ path: [JSONPathElement], _ message: String, isRequired: Bool = false) {
        notes.append(Note(path: path, message: message, isRequired: isRequired))
    }

    /// An id from a name for people: letters and digits in lower case, one hyphen for anything between them; nil when
    /// nothing is left. "Pro Plans (2026)" becomes `pro-plans-2026`.
    static func identifier(from name: String) -> String? {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        var id = words.joined(separator: "-")
        // Room for a number behind it within the 256 bytes of an id.
        while id.utf8.count > 240 { id.removeLast() }
        return id.isEmpty ? nil : id
    }
}
