import JSON

/// An extension of a subscription's current period (App Store Server API, Extend a Subscription Renewal Date). It cannot
/// be taken back.
package struct RenewalExtension: Sendable, Hashable {
    /// Why (App Store Server API, extendReasonCode).
    package enum Reason: Int, Sendable, Hashable, CaseIterable {
        case undeclared = 0
        case customerSatisfaction = 1
        case other = 2
        case serviceIssue = 3
    }

    /// From 1 to 90.
    package var days: Int
    package var reason: Reason
    /// Names the request in the company's own records.
    package var requestIdentifier: String

    package init(days: Int, reason: Reason, requestIdentifier: String) {
        self.days = days
        self.reason = reason
        self.requestIdentifier = requestIdentifier
    }

    var body: JSONObject {
        [
            "extendByDays": JSONValue(days), "extendReasonCode": JSONValue(reason.rawValue),
            "requestIdentifier": .string(requestIdentifier),
        ]
    }
}
