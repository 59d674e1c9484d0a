package import EntitlementDomain
package import JSON

/// What a notification about the app itself carries (App Store Server Notifications V2, appData).
package struct NotificationAppData: Sendable, Hashable {
    /// The payload as it was signed, with the members that are not known here.
    package let raw: JSONObject
    /// The members that are there but cannot be used; each counts as absent.
    package let unreadable: [String]

    package let environment: StoreEnvironment?
    package let appAppleID: Int64?
    package let bundleID: String?
    /// A signed text of its own, to be verified by itself.
    package let signedAppTransactionInfo: String?

    /// Reads the members of a decoded payload.
    package init(_ raw: JSONObject) {
        var reader = MemberReader(raw)
        environment = reader.name("environment")
        appAppleID = reader.integer("appAppleId")
        bundleID = reader.identifier("bundleId")
        signedAppTransactionInfo = reader.text("signedAppTransactionInfo")
        unreadable = reader.unreadable
        self.raw = raw
    }
}
