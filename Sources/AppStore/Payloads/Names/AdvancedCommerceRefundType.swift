/// How much of an Advanced Commerce item was refunded (Advanced Commerce API, refundType). An open set.
package struct AdvancedCommerceRefundType: RawRepresentable, Sendable, Hashable {
    package var rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    package static let full = AdvancedCommerceRefundType(rawValue: "FULL")
    package static let prorated = AdvancedCommerceRefundType(rawValue: "PRORATED")
    package static let custom = AdvancedCommerceRefundType(rawValue: "CUSTOM")
}
