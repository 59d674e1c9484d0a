/// Why an entitlement is active or not. The raw values are part of the JSON-RPC contract.
package enum EntitlementState: String, Sendable, Hashable, CaseIterable {
    case active
    case inGracePeriod
    case inBillingRetryPeriod
    case expired
    case revoked

    /// Whether this state gives access.
    package var isActive: Bool { self == .active || self == .inGracePeriod }
}
