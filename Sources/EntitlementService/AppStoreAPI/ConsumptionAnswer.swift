package import AppStore

/// What the App Store is told when it asks for consumption information: the same for every request, as the operator
/// configured it. There is no default, and none of it is sent unless the operator states that customers have consented.
package struct ConsumptionAnswer: Sendable, Hashable {
    package var deliveryStatus: ConsumptionInformation.DeliveryStatus
    package var sampleContentProvided: Bool
    package var refundPreference: ConsumptionInformation.RefundPreference?

    package init(
        deliveryStatus: ConsumptionInformation.DeliveryStatus,
        sampleContentProvided: Bool,
        refundPreference: ConsumptionInformation.RefundPreference? = nil
    ) {
        self.deliveryStatus = deliveryStatus
        self.sampleContentProvided = sampleContentProvided
        self.refundPreference = refundPreference
    }

    /// As it is sent. Consent is a condition of having this value at all.
    var information: ConsumptionInformation {
        ConsumptionInformation(
            customerConsented: true,
            deliveryStatus: deliveryStatus,
            sampleContentProvided: sampleContentProvided,
            refundPreference: refundPreference
        )
    }
}
