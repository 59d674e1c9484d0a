package import JSON

/// One SKU of an Advanced Commerce renewal (App Store Server API, items of advancedCommerceInfo).
package struct AdvancedCommerceRenewalItem: Sendable, Hashable {
    /// The payload as it was signed, with the members that are not known here.
    package let raw: JSONObject
    /// The members that are there but cannot be used; each counts as absent.
    package let unreadable: [String]

    package let sku: String?
    package let description: String?
    package let displayName: String?
    package let offer: AdvancedCommerceOffer?
    /// Thousandths of the currency's unit.
    package let price: Int64?
    package let priceIncreaseInfo: AdvancedCommercePriceIncreaseInfo?

    /// Reads the members of a decoded payload.
    package init(_ raw: JSONObject) {
        var reader = MemberReader(raw)
        sku = reader.identifier("SKU")
        description = reader.text("description")
        displayName = reader.text("displayName")
        offer = reader.object("offer").map { AdvancedCommerceOffer($0) }
        price = reader.integer("price")
        priceIncreaseInfo = reader.object("priceIncreaseInfo").map { AdvancedCommercePriceIncreaseInfo($0) }
        unreadable = reader.unreadable
        self.raw = raw
    }
}
