/// What the company sells: product -> what it is and what it grants. Versioned by `CatalogChanged` events.
package struct Catalog: Sendable, Hashable {
    /// All entitlements that a product may grant.
    package var entitlements: [String]
    /// All currencies that a consumable may credit.
    package var currencies: [String]
    package private(set) var products: [String: Product]

    package init(entitlements: [String] = [], currencies: [String] = [], products: [Product] = []) {
        self.entitlements = entitlements
        self.currencies = currencies
        self.products = Dictionary(products.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The catalog that maps nothing.
    package static let empty = Catalog()

    /// The product with this id; nil for one that is not mapped: it grants nothing until it is.
    package subscript(productID: String) -> Product? {
        products[productID]
    }

    /// What kind of purchase a transaction is: its own signed word, else the catalog's, else a subscription when it
    /// has an end.
    package func type(of facts: TransactionFacts) -> ProductType? {
        facts.type ?? products[facts.productID]?.type ?? (facts.expiresAt == nil ? nil : .autoRenewable)
    }
}
