package import EntitlementDomain
package import JSON

/// A token of an external purchase (App Store Server Notifications V2, externalPurchaseToken).
package struct ExternalPurchaseToken: Sendable, Hashable {
    /// The payload as it was signed, with the members that are not known here.
    package let raw: JSONObject
    /// The members that are there but cannot be used; each counts as absent.
    package let unreadable: [String]

    package let externalPurchaseID: String?
    package let tokenCreatedAt: Instant?
    /// Custom links only.
    package let tokenExpiresAt: Instant?
    /// Custom links only.
    package let tokenType: String?
    package let appAppleID: Int64?
    package let bundleID: String?

    /// Reads the members of a decoded payload.
    package init(_ raw: JSONObject) {
        var reader = MemberReader(raw)
        externalPurchaseID = reader.identifier("externalPurchaseId")
        tokenCreatedAt = reader.instant("tokenCreationDate")
        tokenExpiresAt = reader.instant("tokenExpirationDate")
        tokenType = reader.text("tokenType")
        appAppleID = reader.integer("appAppleId")
        bundleID = reader.identifier("bundleId")
        unreadable = reader.unreadable
        self.raw = raw
    }
}

extension ExternalPurchaseToken {
    /// The environment, which the token does not name: ids of the sandbox start with `SANDBOX`
    /// (App Store Server Notifications V2, externalPurchaseId).
    package var environment: StoreEnvironment {
        externalPurchaseID?.hasPrefix("SANDBOX") == true ? .sandbox : .production
    }
}
