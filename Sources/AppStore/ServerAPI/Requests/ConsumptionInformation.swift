import JSON

/// What the company tells about a purchase whose refund was asked for (App Store Server API, ConsumptionRequest of Send
/// Consumption Information v2). It may be sent only with the customer's consent.
package struct ConsumptionInformation: Sendable, Hashable {
    /// Whether the purchase works (deliveryStatus). An open set of names.
    package struct DeliveryStatus: RawRepresentable, Sendable, Hashable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        package static let delivered = DeliveryStatus(rawValue: "DELIVERED")
        package static let undeliveredQualityIssue = DeliveryStatus(rawValue: "UNDELIVERED_QUALITY_ISSUE")
        package static let undeliveredWrongItem = DeliveryStatus(rawValue: "UNDELIVERED_WRONG_ITEM")
        package static let undeliveredServerOutage = DeliveryStatus(rawValue: "UNDELIVERED_SERVER_OUTAGE")
        package static let undeliveredOther = DeliveryStatus(rawValue: "UNDELIVERED_OTHER")
    }

    /// What the company would like (refundPreference).
    package enum RefundPreference: String, Sendable, Hashable, CaseIterable {
        case decline = "DECLINE"
        case grantFull = "GRANT_FULL"
        case grantProrated = "GRANT_PRORATED"
    }

    package var customerConsented: Bool
    package var deliveryStatus: DeliveryStatus
    package var sampleContentProvided: Bool
    /// Thousandths of a per cent, 0 to 100,000; not for auto-renewable subscriptions with a prorated preference.
    package var consumptionPercentage: Int?
    package var refundPreference: RefundPreference?

    package init(
        customerConsented: Bool,
        deliveryStatus: DeliveryStatus,
        sampleContentProvided: Bool,
        consumptionPercentage: Int? = nil,
        refundPreference: RefundPreference? = nil
    ) {
        self.customerConsented = customerConsented
        self.deliveryStatus = deliveryStatus
        self.sampleContentProvided = sampleContentProvided
        self.consumptionPercentage = consumptionPercentage
        self.refundPreference = refundPreference
    }

    var body: JSONObject {
        var body: JSONObject = [
            "customerConsented": JSONValue(customerConsented), "deliveryStatus": .string(deliveryStatus.rawValue),
            "sampleContentProvided": JSONValue(sampleContentProvided),
        ]
        body["consumptionPercentage"] = consumptionPercentage.map { JSONValue($0) }
        body["refundPreference"] = refundPreference.map { .string($0.rawValue) }
        return body
    }
}
