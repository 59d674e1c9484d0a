/// What happened, in the past tense: the label of an event for people and consumers. Access never follows from it.
///
/// The raw values are a stored format: renaming one is a migration.
package enum EventType: String, Sendable, Hashable, CaseIterable {
    case purchased = "Purchased"
    case renewed = "Renewed"
    case resubscribed = "Resubscribed"
    case planChanged = "PlanChanged"
    case offerRedeemed = "OfferRedeemed"
    case renewalPreferenceChanged = "RenewalPreferenceChanged"
    case autoRenewEnabled = "AutoRenewEnabled"
    case autoRenewDisabled = "AutoRenewDisabled"
    case billingFailed = "BillingFailed"
    case gracePeriodEntered = "GracePeriodEntered"
    case gracePeriodExpired = "GracePeriodExpired"
    case billingRecovered = "BillingRecovered"
    case expired = "Expired"
    case refunded = "Refunded"
    case refundDeclined = "RefundDeclined"
    case refundReversed = "RefundReversed"
    case revoked = "Revoked"
    case renewalExtended = "RenewalExtended"
    case priceChangeAnnounced = "PriceChangeAnnounced"
    case priceChangeAccepted = "PriceChangeAccepted"
    case consumptionRequested = "ConsumptionRequested"
    /// A known transaction seen again with nothing new but its signature.
    case confirmed = "Confirmed"
    /// Signed and stored, of a kind that is not known yet.
    case received = "Received"
    case accountLinked = "AccountLinked"
    case accountTransferred = "AccountTransferred"
    case accountErased = "AccountErased"
    case grantIssued = "GrantIssued"
    case grantRevoked = "GrantRevoked"
    case holdPlaced = "HoldPlaced"
    case holdLifted = "HoldLifted"
    case creditSpent = "CreditSpent"
    case catalogChanged = "CatalogChanged"

    /// Whether this event tells of a transaction for the first time; such an event appears once for a transaction.
    package var announcesTransaction: Bool {
        switch self {
        case .purchased, .renewed, .resubscribed, .planChanged, .offerRedeemed, .billingRecovered: true
        default: false
        }
    }

    /// Whether an event of this type and with these facts has told of the transaction, `Confirmed` ones of a purchase
    /// that another event told of among them.
    ///
    /// It must follow from the statement alone and not from what was known before, or the order of arrival would show
    /// in the state. What states a revocation tells of that, and a statement without a name of anything else.
    package func announces(_ transaction: TransactionFacts?, isNamed: Bool) -> Bool {
        guard let transaction, transaction.revokedAt == nil, self != .received else { return false }
        return !isNamed || announcesTransaction || self == .confirmed
    }
}
