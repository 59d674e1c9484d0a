package import JSON

/// A price increase of an Advanced Commerce item (Advanced Commerce API, priceIncreaseInfo).
package struct AdvancedCommercePriceIncreaseInfo: Sendable, Hashable {
    /// The payload as it was signed, with the members that are not known here.
    package let raw: JSONObject
    /// The members that are there but cannot be used; each counts as absent.
    package let unreadable: [String]

    package let dependentSKUs: [String]?
    /// Thousandths of the currency's unit.
    package let price: Int64?
    package let status: AdvancedCommercePriceIncreaseStatus?

    /// Reads the members of a decoded payload.
    package init(_ raw: JSONObject) {
        var reader = MemberReader(raw)
        dependentSKUs = reader.texts("dependentSKUs")
        price = reader.integer("price")
        status = reader.name("status")
        unreadable = reader.unreadable
        self.raw = raw
    }
}
