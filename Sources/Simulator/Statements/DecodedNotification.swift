package import JSON

/// An App Store Server Notification V2 before it is signed, defaults filled in (App Store Server Notifications,
/// responseBodyV2DecodedPayload). A field that is nil is left out.
package struct DecodedNotification: Sendable {
    /// The `data` object.
    package struct Body: Sendable {
        var environment: JSONValue?
        var appAppleID: JSONValue?
        var bundleID: JSONValue?
        var status: JSONValue?
        /// The decoded transaction, complete.
        package var transaction: JSONObject?
        /// The decoded renewal info, complete.
        package var renewalInfo: JSONObject?
        /// Laid over the data object, unchecked.
        var raw = JSONObject()
    }

    var notificationType: JSONValue?
    var subtype: JSONValue?
    var notificationUUID: JSONValue?
    var signedDate: JSONValue?
    /// Nil where a notification has no data object.
    package var data: Body?
    /// Laid over the whole payload last, unchecked.
    var raw = JSONObject()

    /// The payload to be signed, around the signed texts inside.
    package func payload(signedTransaction: String?, signedRenewalInfo: String?) -> JSONObject {
        var payload = JSONObject()
        payload.setDefault("notificationType", notificationType)
        payload.setDefault("subtype", subtype)
        payload.setDefault("notificationUUID", notificationUUID)
        if let data {
            var body = JSONObject()
            body.setDefault("environment", data.environment)
            body.setDefault("appAppleId", data.appAppleID)
            body.setDefault("bundleId", data.bundleID)
            body.setDefault("status", data.status)
            body.setDefault("signedTransactionInfo", signedTransaction.map(JSONValue.string))
            body.setDefault("signedRenewalInfo", signedRenewalInfo.map(JSONValue.string))
            payload.append("data", .object(body.merging(data.raw)))
        }
        payload.append("version", "2.0")
        payload.setDefault("signedDate", signedDate)
        return payload.merging(raw)
    }
}
