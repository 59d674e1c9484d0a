package import EntitlementDomain

extension EventType {
    /// The label that a notification's name asks for (App Store Server Notifications V2, notificationType and
    /// subtype).
    ///
    /// A subtype that is missing or not known leaves its type's own label. Types that are not known, and those that
    /// change no purchase, are `received`.
    ///
    /// - Parameter autoRenewStatus: that of the renewal info; it decides where a change of the renewal status does not
    ///   say which.
    package init(_ type: NotificationType?, _ subtype: NotificationSubtype?, autoRenewStatus: AutoRenewStatus?) {
        switch type {
        case .subscribed?: self = subtype == .resubscribe ? .resubscribed : .purchased
        case .didRenew?: self = subtype == .billingRecovery ? .billingRecovered : .renewed
        case .didChangeRenewalPreference?: self = subtype == .upgrade ? .planChanged : .renewalPreferenceChanged
        case .didChangeRenewalStatus?: self = Self.renewalStatusChange(subtype, autoRenewStatus)
        case .offerRedeemed?: self = .offerRedeemed
        case .didFailToRenew?: self = subtype == .gracePeriod ? .gracePeriodEntered : .billingFailed
        case .gracePeriodExpired?: self = .gracePeriodExpired
        case .expired?: self = .expired
        case .priceIncrease?: self = subtype == .accepted ? .priceChangeAccepted : .priceChangeAnnounced
        case .priceChange?: self = .priceChangeAnnounced
        case .refund?: self = .refunded
        case .refundDeclined?: self = .refundDeclined
        case .refundReversed?: self = .refundReversed
        case .consumptionRequest?: self = .consumptionRequested
        case .revoke?: self = .revoked
        case .renewalExtended?: self = .renewalExtended
        case .oneTimeCharge?: self = .purchased
        default: self = .received
        }
    }

    private static func renewalStatusChange(
        _ subtype: NotificationSubtype?,
        _ autoRenewStatus: AutoRenewStatus?
    ) -> EventType {
        switch (subtype, autoRenewStatus) {
        case (.autoRenewEnabled?, _): .autoRenewEnabled
        case (.autoRenewDisabled?, _): .autoRenewDisabled
        case (_, .on?): .autoRenewEnabled
        case (_, .off?): .autoRenewDisabled
        default: .received
        }
    }
}
