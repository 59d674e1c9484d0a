package import EntitlementDomain
package import JSON

/// Where a transaction stands in a commitment of twelve months that is billed monthly
/// (App Store Server API, commitmentInfo of a transaction).
package struct TransactionCommitmentInfo: Sendable, Hashable {
    /// The payload as it was signed, with the members that are not known here.
    package let raw: JSONObject
    /// The members that are there but cannot be used; each counts as absent.
    package let unreadable: [String]

    /// 1 for the first month.
    package let billingPeriodNumber: Int?
    package let totalBillingPeriods: Int?
    /// The end of the whole commitment.
    package let commitmentExpiresAt: Instant?
    /// The price of the whole commitment, in thousandths of the currency's unit.
    package let commitmentPrice: Int64?

    /// Reads the members of a decoded payload.
    package init(_ raw: JSONObject) {
        var reader = MemberReader(raw)
        billingPeriodNumber = reader.smallInteger("billingPeriodNumber")
        totalBillingPeriods = reader.smallInteger("totalBillingPeriods")
        commitmentExpiresAt = reader.instant("commitmentExpiresDate")
        commitmentPrice = reader.integer("commitmentPrice")
        unreadable = reader.unreadable
        self.raw = raw
    }
}
