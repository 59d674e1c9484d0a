import EntitlementDomain

/// One signed statement: a notification, or what an app uploaded.
struct SignedStatement: Hashable {
    /// The kinds of notification that the histories use, named by type and subtype; nil: an upload, which has no name.
    enum Name: String {
        case initialBuy = "SUBSCRIBED/INITIAL_BUY"
        case resubscribe = "SUBSCRIBED/RESUBSCRIBE"
        case renew = "DID_RENEW"
        case recovery = "DID_RENEW/BILLING_RECOVERY"
        case upgrade = "DID_CHANGE_RENEWAL_PREF/UPGRADE"
        case downgrade = "DID_CHANGE_RENEWAL_PREF/DOWNGRADE"
        case autoRenewOff = "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED"
        case autoRenewOn = "DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_ENABLED"
        case failure = "DID_FAIL_TO_RENEW"
        case grace = "DID_FAIL_TO_RENEW/GRACE_PERIOD"
        case graceExpired = "GRACE_PERIOD_EXPIRED"
        case expired = "EXPIRED"
        case refund = "REFUND"
        case reversal = "REFUND_REVERSED"
        case revoke = "REVOKE"
        case extended = "RENEWAL_EXTENDED"
        case oneTimeCharge = "ONE_TIME_CHARGE"

        /// The label that the App Store's name asks for.
        var label: EventType {
            switch self {
            case .initialBuy, .oneTimeCharge: .purchased
            case .resubscribe: .resubscribed
            case .renew: .renewed
            case .recovery: .billingRecovered
            case .upgrade: .planChanged
            case .downgrade: .renewalPreferenceChanged
            case .autoRenewOff: .autoRenewDisabled
            case .autoRenewOn: .autoRenewEnabled
            case .failure: .billingFailed
            case .grace: .gracePeriodEntered
            case .graceExpired: .gracePeriodExpired
            case .expired: .expired
            case .refund: .refunded
            case .reversal: .refundReversed
            case .revoke: .revoked
            case .extended: .renewalExtended
            }
        }
    }

    var line: LineID
    var name: Name?
    var transaction: TransactionFacts?
    var renewal: RenewalFacts?

    var facts: StatementFacts {
        StatementFacts(transaction: transaction, renewal: renewal, namedType: name?.label)
    }

    /// When the latest of its parts was signed.
    var signedAt: Instant {
        [transaction?.signedAt, renewal?.signedAt].compactMap(\.self).max() ?? .distantPast
    }
}
