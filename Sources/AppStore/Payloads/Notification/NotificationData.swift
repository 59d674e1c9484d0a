package import EntitlementDomain
package import JSON

/// What a notification about a customer's purchase carries (App Store Server Notifications V2, data).
package struct NotificationData: Sendable, Hashable {
    /// The payload as it was signed, with the members that are not known here.
    package let raw: JSONObject
    /// The members that are there but cannot be used; each counts as absent.
    package let unreadable: [String]

    package let environment: StoreEnvironment?
    package let appAppleID: Int64?
    package let bundleID: String?
    package let bundleVersion: String?
    /// A signed text of its own, to be verified by itself.
    package let signedTransactionInfo: String?
    /// A signed text of its own, to be verified by itself.
    package let signedRenewalInfo: String?
    /// The status of the subscription when the notification was signed.
    package let status: SubscriptionStatus?
    package let consumptionRequestReason: ConsumptionRequestReason?

    /// Reads the members of a decoded payload.
    package init(_ raw: JSONObject) {
        var reader = MemberReader(raw)
        environment = reader.name("environment")
        appAppleID = reader.integer("appAppleId")
        bundleID = reader.identifier("bundleId")
        bundleVersion = reader.text("bundleVersion")
        signedTransactionInfo = reader.text("signedTransactionInfo")
        signedRenewalInfo = reader.text("signedRenewalInfo")
        status = reader.code("status")
        consumptionRequestReason = reader.name("consumptionRequestReason")
        unreadable = reader.unreadable
        self.raw = raw
    }
}
