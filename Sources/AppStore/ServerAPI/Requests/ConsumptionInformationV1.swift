package import EntitlementDomain
import JSON

/// What the company tells about a consumable whose refund was asked for, in the older form (App Store Server API,
/// ConsumptionRequest of Send Consumption Information v1, deprecated). Codes are Apple's; 0 means undeclared.
package struct ConsumptionInformationV1: Sendable, Hashable {
    package var customerConsented: Bool
    package var consumptionStatus = 0
    package var platform = 0
    package var sampleContentProvided = false
    package var deliveryStatus = 0
    /// Nil is sent as an empty text, which the API wants there.
    package var appAccountToken: AccountID?
    package var accountTenure = 0
    package var playTime = 0
    package var lifetimeDollarsRefunded = 0
    package var lifetimeDollarsPurchased = 0
    package var userStatus = 0
    package var refundPreference = 0

    package init(customerConsented: Bool) {
        self.customerConsented = customerConsented
    }

    var body: JSONObject {
        [
            "customerConsented": JSONValue(customerConsented), "consumptionStatus": JSONValue(consumptionStatus),
            "platform": JSONValue(platform), "sampleContentProvided": JSONValue(sampleContentProvided),
            "deliveryStatus": JSONValue(deliveryStatus),
            "appAccountToken": .string(appAccountToken?.description ?? ""), "accountTenure": JSONValue(accountTenure),
            "playTime": JSONValue(playTime), "lifetimeDollarsRefunded": JSONValue(lifetimeDollarsRefunded),
            "lifetimeDollarsPurchased": JSONValue(lifetimeDollarsPurchased), "userStatus": JSONValue(userStatus),
            "refundPreference": JSONValue(refundPreference),
        ]
    }
}
