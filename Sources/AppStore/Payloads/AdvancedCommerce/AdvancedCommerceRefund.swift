package import EntitlementDomain
package import JSON

/// A refund of an Advanced Commerce item (App Store Server API, refunds of an item).
package struct AdvancedCommerceRefund: Sendable, Hashable {
    /// The payload as it was signed, with the members that are not known here.
    package let raw: JSONObject
    /// The members that are there but cannot be used; each counts as absent.
    package let unreadable: [String]

    /// Thousandths of the currency's unit.
    package let amount: Int64?
    package let refundedAt: Instant?
    package let reason: AdvancedCommerceRefundReason?
    package let type: AdvancedCommerceRefundType?

    /// Reads the members of a decoded payload.
    package init(_ raw: JSONObject) {
        var reader = MemberReader(raw)
        amount = reader.integer("refundAmount")
        refundedAt = reader.instant("refundDate")
        reason = reader.name("refundReason")
        type = reader.name("refundType")
        unreadable = reader.unreadable
        self.raw = raw
    }
}
