package import EntitlementDomain
package import JSON

/// The outcome of an extension of many subscriptions (App Store Server Notifications V2, summary).
package struct NotificationSummary: Sendable, Hashable {
    /// The payload as it was signed, with the members that are not known here.
    package let raw: JSONObject
    /// The members that are there but cannot be used; each counts as absent.
    package let unreadable: [String]

    package let environment: StoreEnvironment?
    package let appAppleID: Int64?
    package let bundleID: String?
    package let productID: String?
    /// The UUID of the request, as sent.
    package let requestID: String?
    /// ISO 3166-1 alpha-3 codes; absent: all storefronts.
    package let storefrontCountryCodes: [String]?
    package let succeededCount: Int64?
    package let failedCount: Int64?

    /// Reads the members of a decoded payload.
    package init(_ raw: JSONObject) {
        var reader = MemberReader(raw)
        environment = reader.name("environment")
        appAppleID = reader.integer("appAppleId")
        bundleID = reader.identifier("bundleId")
        productID = reader.identifier("productId")
        requestID = reader.identifier("requestIdentifier")
        storefrontCountryCodes = reader.texts("storefrontCountryCodes")
        succeededCount = reader.integer("succeededCount")
        failedCount = reader.integer("failedCount")
        unreadable = reader.unreadable
        self.raw = raw
    }
}
