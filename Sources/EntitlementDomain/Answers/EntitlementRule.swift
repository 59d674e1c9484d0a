/// The rule that decided about one source of an entitlement: a stable code and a sentence for people.
///
/// The raw values are part of the JSON-RPC contract.
package enum EntitlementRule: String, Sendable, Hashable, CaseIterable {
    case paidPeriod
    case renewalExpected
    case refundKeptToPeriodEnd
    case gracePeriod
    case billingRetry
    case periodEnded
    case replacedByLaterPurchase
    case refunded
    case familyShareEnded
    case lifetimePurchase
    case passRunning
    case passEnded
    case grantInForce
    case grantEnded
    case grantRevoked
    case held
    case accountErased

    /// The rule behind a source as it stands at an instant.
    package init(_ source: EntitlementSource, at instant: Instant) {
        if source.isErased {
            self = .accountErased
            return
        }
        if source.isHeld {
            self = .held
            return
        }
        if source.store == .grant {
            self = source.state == .revoked ? .grantRevoked : source.state == .expired ? .grantEnded : .grantInForce
            return
        }
        switch source.state {
        case .revoked: self = source.ownership == .familyShared ? .familyShareEnded : .refunded
        case .inGracePeriod: self = .gracePeriod
        case .inBillingRetryPeriod: self = .billingRetry
        case .active:
            switch source.productType {
            case .nonConsumable: self = .lifetimePurchase
            case .nonRenewing: self = .passRunning
            default:
                let isRefunded = source.revokedAt.map { $0 <= instant } ?? false
                self = source.isInLeeway ? .renewalExpected : isRefunded ? .refundKeptToPeriodEnd : .paidPeriod
            }
        case .expired:
            self =
                source.productType == .nonRenewing
                ? .passEnded : source.isReplaced ? .replacedByLaterPurchase : .periodEnded
        }
    }

    /// A sentence that support staff can read to a customer.
    package func sentence(for source: EntitlementSource) -> String {
        func day(_ instant: Instant?) -> String { instant?.iso8601 ?? "no date" }
        return switch self {
        case .paidPeriod: "The period is paid until \(day(source.expiresAt))."
        case .renewalExpected:
            "The paid period ended at \(day(source.expiresAt)); its renewal is expected and access goes on until "
                + "\(day(source.accessEndsAt))."
        case .refundKeptToPeriodEnd:
            "The period was refunded at \(day(source.revokedAt)); by policy access stays until \(day(source.expiresAt))."
        case .gracePeriod:
            "The renewal could not be charged; the App Store's grace period lasts until \(day(source.gracePeriodExpiresAt))."
        case .billingRetry:
            "The renewal could not be charged; access ended at \(day(source.accessEndsAt)) and the App Store keeps trying."
        case .periodEnded: "The last paid period ended at \(day(source.accessEndsAt))."
        case .replacedByLaterPurchase:
            "Another purchase of the same subscription took over at \(day(source.expiresAt))."
        case .refunded: "The purchase was refunded or revoked at \(day(source.revokedAt))."
        case .familyShareEnded: "The family share was withdrawn at \(day(source.revokedAt))."
        case .lifetimePurchase: "The purchase has no end."
        case .passRunning: "The pass runs until \(day(source.expiresAt))."
        case .passEnded: "The pass ended at \(day(source.expiresAt))."
        case .grantInForce:
            source.expiresAt == nil
                ? "The company gave this access without an end."
                : "The company gave this access until \(day(source.expiresAt))."
        case .grantEnded: "The access given by the company ended at \(day(source.expiresAt))."
        case .grantRevoked: "The company took the access it had given back at \(day(source.revokedAt))."
        case .held: "A hold suspends this access until it is lifted."
        case .accountErased:
            "The account that owned this purchase was erased; nobody has access by it until it is transferred to an account."
        }
    }
}
