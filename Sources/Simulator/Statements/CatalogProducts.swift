import EntitlementDomain
import JSON

/// What a catalog object says about products, as far as a signed transaction repeats it.
struct CatalogProducts: Sendable {
    struct Entry: Sendable {
        /// The value of a transaction's `type`; nil when the catalog names no known type.
        let appStoreType: String?
        let subscriptionGroup: String?
    }

    private var entries: [String: Entry] = [:]

    /// Reads what is there; anything else is left to the service, which checks the whole catalog.
    init(_ catalog: JSONValue) {
        for product in catalog["products"]?.arrayValue ?? [] {
            guard let id = product["productId"]?.stringValue else { continue }
            entries[id] = Entry(
                appStoreType: product["type"]?.stringValue.flatMap(ProductType.init(rawValue:))?.appStoreName,
                subscriptionGroup: product["subscriptionGroup"]?.stringValue
            )
        }
    }

    subscript(productID: String) -> Entry? { entries[productID] }
}
