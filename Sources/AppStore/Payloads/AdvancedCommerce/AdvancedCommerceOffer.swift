package import JSON

/// The offer of an Advanced Commerce item (Advanced Commerce API, offer).
package struct AdvancedCommerceOffer: Sendable, Hashable {
    /// The payload as it was signed, with the members that are not known here.
    package let raw: JSONObject
    /// The members that are there but cannot be used; each counts as absent.
    package let unreadable: [String]

    /// ISO 8601 duration of one period of the offer.
    package let period: String?
    package let periodCount: Int?
    /// Thousandths of the currency's unit.
    package let price: Int64?
    package let reason: AdvancedCommerceOfferReason?

    /// Reads the members of a decoded payload.
    package init(_ raw: JSONObject) {
        var reader = MemberReader(raw)
        period = reader.text("period")
        periodCount = reader.smallInteger("periodCount")
        price = reader.integer("price")
        reason = reader.name("reason")
        unreadable = reader.unreadable
        self.raw = raw
    }
}
