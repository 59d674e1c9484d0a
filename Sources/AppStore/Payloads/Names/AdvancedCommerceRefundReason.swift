/// Why a part of an Advanced Commerce purchase was refunded (Advanced Commerce API, refundReason). An open set.
package struct AdvancedCommerceRefundReason: RawRepresentable, Sendable, Hashable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let unintendedPurchase = AdvancedCommerceRefundReason(rawValue: "UNINTENDED_PURCHASE")
    package static let fulfillmentIssue = AdvancedCommerceRefundReason(rawValue: "FULFILLMENT_ISSUE")
    package static let unsatisfiedWithPurchase = AdvancedCommerceRefundReason(rawValue: "UNSATISFIED_WITH_PURCHASE")
    package static let legal = AdvancedCommerceRefundReason(rawValue: "LEGAL")
    package static let other = AdvancedCommerceRefundReason(rawValue: "OTHER")
    package static let modifyItemsRefund = AdvancedCommerceRefundReason(rawValue: "MODIFY_ITEMS_REFUND")
    package static let simulateRefundDecline = AdvancedCommerceRefundReason(rawValue: "SIMULATE_REFUND_DECLINE")
}
