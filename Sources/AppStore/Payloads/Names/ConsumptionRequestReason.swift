/// Why the customer asked for a refund (App Store Server Notifications, consumptionRequestReason). An open set.
package struct ConsumptionRequestReason: RawRepresentable, Sendable, Hashable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let unintendedPurchase = ConsumptionRequestReason(rawValue: "UNINTENDED_PURCHASE")
    package static let fulfillmentIssue = ConsumptionRequestReason(rawValue: "FULFILLMENT_ISSUE")
    package static let unsatisfiedWithPurchase = ConsumptionRequestReason(rawValue: "UNSATISFIED_WITH_PURCHASE")
    package static let legal = ConsumptionRequestReason(rawValue: "LEGAL")
    package static let other = ConsumptionRequestReason(rawValue: "OTHER")
}
