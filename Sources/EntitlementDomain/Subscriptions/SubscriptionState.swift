/// The renewal state of a subscription (StoreKit, Product.SubscriptionInfo.RenewalState). The raw values are part of the
/// JSON-RPC contract.
package enum SubscriptionState: String, Sendable, Hashable, CaseIterable {
    case subscribed
    case inGracePeriod
    case inBillingRetryPeriod
    case expired
    case revoked

    /// The renewal state of a period that stands like this.
    package init(_ state: EntitlementState) {
        switch state {
        case .active: self = .subscribed
        case .inGracePeriod: self = .inGracePeriod
        case .inBillingRetryPeriod: self = .inBillingRetryPeriod
        case .expired: self = .expired
        case .revoked: self = .revoked
        }
    }

    /// Whether a customer in this state is entitled to the service.
    package var isEntitling: Bool { self == .subscribed || self == .inGracePeriod }
}
