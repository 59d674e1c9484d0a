/// The status of a subscription when a notification was signed (App Store Server API, status). An open set.
package struct SubscriptionStatus: RawRepresentable, Sendable, Hashable {
    package var rawValue: Int

    package init(rawValue: Int) {
        self.rawValue = rawValue
    }

    package static let active = SubscriptionStatus(rawValue: 1)
    package static let expired = SubscriptionStatus(rawValue: 2)
    package static let billingRetry = SubscriptionStatus(rawValue: 3)
    package static let gracePeriod = SubscriptionStatus(rawValue: 4)
    package static let revoked = SubscriptionStatus(rawValue: 5)
}

extension SubscriptionStatus {
    /// Whether the number has a meaning that is known.
    package var isKnown: Bool { (1...5).contains(rawValue) }
}
