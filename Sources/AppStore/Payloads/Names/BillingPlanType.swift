/// How a subscription is billed (App Store Server API, billingPlanType). An open set.
package struct BillingPlanType: RawRepresentable, Sendable, Hashable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let billedUpfront = BillingPlanType(rawValue: "BILLED_UPFRONT")
    /// A commitment of twelve months, billed each month.
    package static let monthly = BillingPlanType(rawValue: "MONTHLY")
}
