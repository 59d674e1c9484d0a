package import EntitlementDomain
package import JSON

/// How a commitment of twelve months goes on after its last month
/// (App Store Server API, commitmentInfo of a renewal info).
package struct RenewalCommitmentInfo: Sendable, Hashable {
    /// The payload as it was signed, with the members that are not known here.
    package let raw: JSONObject
    /// The members that are there but cannot be used; each counts as absent.
    package let unreadable: [String]

    package let autoRenewProductID: String?
    /// Off is what the customer calls cancelled; the months of the commitment go on.
    package let autoRenewStatus: AutoRenewStatus?
    package let renewalBillingPlanType: BillingPlanType?
    package let renewsAt: Instant?
    /// Thousandths of the currency's unit.
    package let renewalPrice: Int64?

    /// Reads the members of a decoded payload.
    package init(_ raw: JSONObject) {
        var reader = MemberReader(raw)
        autoRenewProductID = reader.identifier("commitmentAutoRenewProductId")
        autoRenewStatus = reader.code("commitmentAutoRenewStatus")
        renewalBillingPlanType = reader.name("commitmentRenewalBillingPlanType")
        renewsAt = reader.instant("commitmentRenewalDate")
        renewalPrice = reader.integer("commitmentRenewalPrice")
        unreadable = reader.unreadable
        self.raw = raw
    }
}
