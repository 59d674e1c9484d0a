package import EntitlementDomain

/// One product of a StoreKit configuration.
package struct StoreKitProduct: Sendable, Hashable {
    package var productID: String
    package var type: ProductType
    /// The name that people at the developer's see; nil: absent or empty.
    package var referenceName: String?
    /// The price as written, a decimal without a currency; nil: absent or no decimal.
    package var price: Double?
    package var isFamilyShareable: Bool

    package init(
        productID: String,
        type: ProductType,
        referenceName: String? = nil,
        price: Double? = nil,
        isFamilyShareable: Bool = false
    ) {
        self.productID = productID
        self.type = type
        self.referenceName = referenceName
        self.price = price
        self.isFamilyShareable = isFamilyShareable
    }
}
