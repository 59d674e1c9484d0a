package import EntitlementDomain
package import JSON

/// The decoded envelope of a notification (App Store Server Notifications V2, responseBodyV2DecodedPayload).
///
/// It carries one of `data`, `summary`, `externalPurchaseToken` and `appData`; a later kind of notification may carry
/// none of them.
package struct NotificationPayload: Sendable, Hashable {
    /// The payload as it was signed, with the members that are not known here.
    package let raw: JSONObject
    /// The members that are there but cannot be used; each counts as absent.
    package let unreadable: [String]

    package let type: NotificationType?
    package let subtype: NotificationSubtype?
    /// The notification's identity, the same for each delivery; as sent.
    package let uuidText: String?
    package let version: String?
    /// When the envelope was signed.
    package let signedAt: Instant?
    package let data: NotificationData?
    package let summary: NotificationSummary?
    package let externalPurchaseToken: ExternalPurchaseToken?
    package let appData: NotificationAppData?

    /// Reads the members of a decoded payload.
    package init(_ raw: JSONObject) {
        var reader = MemberReader(raw)
        type = reader.name("notificationType")
        subtype = reader.name("subtype")
        uuidText = reader.text("notificationUUID")
        version = reader.text("version")
        signedAt = reader.instant("signedDate")
        data = reader.object("data").map { NotificationData($0) }
        summary = reader.object("summary").map { NotificationSummary($0) }
        externalPurchaseToken = reader.object("externalPurchaseToken").map { ExternalPurchaseToken($0) }
        appData = reader.object("appData").map { NotificationAppData($0) }
        unreadable = reader.unreadable
        self.raw = raw
    }
}
