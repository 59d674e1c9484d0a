package import JSON

/// What an Advanced Commerce transaction was for (App Store Server API, advancedCommerceInfo of a transaction).
///
/// Amounts are thousandths of the currency's unit.
package struct AdvancedCommerceTransactionInfo: Sendable, Hashable {
    /// The payload as it was signed, with the members that are not known here.
    package let raw: JSONObject
    /// The members that are there but cannot be used; each counts as absent.
    package let unreadable: [String]

    package let descriptors: AdvancedCommerceDescriptors?
    package let estimatedTax: Int64?
    package let items: [AdvancedCommerceTransactionItem]?
    /// ISO 8601 duration of the subscription.
    package let period: String?
    package let requestReferenceID: String?
    package let taxCode: String?
    package let taxExclusivePrice: Int64?
    /// A decimal fraction as text, such as `0.15`.
    package let taxRate: String?

    /// Reads the members of a decoded payload.
    package init(_ raw: JSONObject) {
        var reader = MemberReader(raw)
        descriptors = reader.object("descriptors").map { AdvancedCommerceDescriptors($0) }
        estimatedTax = reader.integer("estimatedTax")
        items = reader.objects("items")?.map { AdvancedCommerceTransactionItem($0) }
        period = reader.text("period")
        requestReferenceID = reader.identifier("requestReferenceId")
        taxCode = reader.text("taxCode")
        taxExclusivePrice = reader.integer("taxExclusivePrice")
        taxRate = reader.text("taxRate")
        unreadable = reader.unreadable
        self.raw = raw
    }
}
