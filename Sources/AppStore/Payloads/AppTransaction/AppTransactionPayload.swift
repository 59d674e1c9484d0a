package import EntitlementDomain
package import JSON

/// A decoded app transaction: how the customer came to have the app (StoreKit, AppTransaction).
package struct AppTransactionPayload: Sendable, Hashable {
    /// The payload as it was signed, with the members that are not known here.
    package let raw: JSONObject
    /// The members that are there but cannot be used; each counts as absent.
    package let unreadable: [String]

    package let environment: StoreEnvironment?
    /// Absent in Xcode.
    package let appAppleID: Int64?
    package let bundleID: String?
    /// The version of the app that is installed.
    package let applicationVersion: String?
    package let versionExternalID: Int64?
    package let signedAt: Instant?
    /// Seen in Xcode only.
    package let requestedAt: Instant?
    /// When the customer first got the app.
    package let originalPurchasedAt: Instant?
    /// The version that the customer first got.
    package let originalApplicationVersion: String?
    package let preorderedAt: Instant?
    /// One for each Apple Account and app.
    package let appTransactionID: String?
    package let originalPlatform: PurchasePlatform?
    /// Base64; only the device can check it.
    package let deviceVerification: String?
    package let deviceVerificationNonce: String?

    /// Reads the members of a decoded payload.
    package init(_ raw: JSONObject) {
        var reader = MemberReader(raw)
        environment = reader.name("receiptType")
        appAppleID = reader.integer("appAppleId")
        bundleID = reader.identifier("bundleId")
        applicationVersion = reader.text("applicationVersion")
        versionExternalID = reader.integer("versionExternalIdentifier")
        signedAt = reader.instant("receiptCreationDate")
        requestedAt = reader.instant("requestDate")
        originalPurchasedAt = reader.instant("originalPurchaseDate")
        originalApplicationVersion = reader.text("originalApplicationVersion")
        preorderedAt = reader.instant("preorderDate")
        appTransactionID = reader.identifier("appTransactionId")
        originalPlatform = reader.name("originalPlatform")
        deviceVerification = reader.text("deviceVerification")
        deviceVerificationNonce = reader.text("deviceVerificationNonce")
        unreadable = reader.unreadable
        self.raw = raw
    }
}
