import AppStore
import EntitlementDomain
import Testing

struct NotificationLabelTests {
    private func label(_ type: String?, _ subtype: String?, autoRenewStatus: AutoRenewStatus? = nil) -> EventType {
        EventType(
            type.map { NotificationType(rawValue: $0) },
            subtype.map { NotificationSubtype(rawValue: $0) },
            autoRenewStatus: autoRenewStatus
        )
    }

    @Test(
        arguments: [
            ("SUBSCRIBED", "INITIAL_BUY", EventType.purchased), ("SUBSCRIBED", "RESUBSCRIBE", .resubscribed),
            ("SUBSCRIBED", nil, .purchased), ("DID_RENEW", nil, .renewed),
            ("DID_RENEW", "BILLING_RECOVERY", .billingRecovered), ("DID_CHANGE_RENEWAL_PREF", "UPGRADE", .planChanged),
            ("DID_CHANGE_RENEWAL_PREF", "DOWNGRADE", .renewalPreferenceChanged),
            ("DID_CHANGE_RENEWAL_PREF", nil, .renewalPreferenceChanged), ("OFFER_REDEEMED", nil, .offerRedeemed),
            ("OFFER_REDEEMED", "UPGRADE", .offerRedeemed), ("OFFER_REDEEMED", "DOWNGRADE", .offerRedeemed),
            ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_ENABLED", .autoRenewEnabled),
            ("DID_CHANGE_RENEWAL_STATUS", "AUTO_RENEW_DISABLED", .autoRenewDisabled),
            ("DID_FAIL_TO_RENEW", "GRACE_PERIOD", .gracePeriodEntered), ("DID_FAIL_TO_RENEW", nil, .billingFailed),
            ("GRACE_PERIOD_EXPIRED", nil, .gracePeriodExpired), ("EXPIRED", "VOLUNTARY", .expired),
            ("EXPIRED", "BILLING_RETRY", .expired), ("EXPIRED", "PRICE_INCREASE", .expired),
            ("EXPIRED", "PRODUCT_NOT_FOR_SALE", .expired), ("EXPIRED", nil, .expired),
            ("PRICE_INCREASE", "PENDING", .priceChangeAnnounced), ("PRICE_INCREASE", "ACCEPTED", .priceChangeAccepted),
            ("PRICE_INCREASE", nil, .priceChangeAnnounced), ("PRICE_CHANGE", nil, .priceChangeAnnounced),
            ("REFUND", nil, .refunded), ("REFUND_DECLINED", nil, .refundDeclined),
            ("REFUND_REVERSED", nil, .refundReversed), ("CONSUMPTION_REQUEST", nil, .consumptionRequested),
            ("REVOKE", nil, .revoked), ("RENEWAL_EXTENDED", nil, .renewalExtended),
            ("ONE_TIME_CHARGE", nil, .purchased),
            ("RENEWAL_EXTENSION", "SUMMARY", .received), ("RENEWAL_EXTENSION", "FAILURE", .received),
            ("TEST", nil, .received), ("EXTERNAL_PURCHASE_TOKEN", "CREATED", .received),
            ("EXTERNAL_PURCHASE_TOKEN", "ACTIVE_TOKEN_REMINDER", .received),
            ("EXTERNAL_PURCHASE_TOKEN", "UNREPORTED", .received), ("RESCIND_CONSENT", nil, .received),
            ("METADATA_UPDATE", nil, .received), ("MIGRATION", nil, .received), ("MIGRATE", nil, .received),
            ("FUTURE_THING", "UPGRADE", .received), (nil, nil, .received), (nil, "INITIAL_BUY", .received),
        ] as [(String?, String?, EventType)]
    )
    func aNotificationIsLabelledByItsName(type: String?, subtype: String?, expected: EventType) {
        #expect(label(type, subtype) == expected)
    }

    @Test(arguments: [
        ("SUBSCRIBED", EventType.purchased), ("DID_RENEW", .renewed),
        ("DID_CHANGE_RENEWAL_PREF", .renewalPreferenceChanged), ("OFFER_REDEEMED", .offerRedeemed),
        ("DID_FAIL_TO_RENEW", .billingFailed), ("GRACE_PERIOD_EXPIRED", .gracePeriodExpired), ("EXPIRED", .expired),
        ("PRICE_INCREASE", .priceChangeAnnounced), ("PRICE_CHANGE", .priceChangeAnnounced), ("REFUND", .refunded),
        ("REFUND_DECLINED", .refundDeclined), ("REFUND_REVERSED", .refundReversed), ("REVOKE", .revoked),
        ("CONSUMPTION_REQUEST", .consumptionRequested), ("RENEWAL_EXTENDED", .renewalExtended),
        ("ONE_TIME_CHARGE", .purchased), ("TEST", .received),
    ])
    func anUnknownSubtypeLeavesTheTypesOwnLabel(type: String, expected: EventType) {
        #expect(label(type, "FUTURE_KIND") == expected)
    }

    @Test(
        arguments: [
            (nil, AutoRenewStatus.on, EventType.autoRenewEnabled), (nil, .off, .autoRenewDisabled),
            (nil, nil, .received),
            (nil, AutoRenewStatus(rawValue: 2), .received), ("FUTURE_KIND", .on, .autoRenewEnabled),
            ("AUTO_RENEW_DISABLED", .on, .autoRenewDisabled), ("AUTO_RENEW_ENABLED", .off, .autoRenewEnabled),
        ] as [(String?, AutoRenewStatus?, EventType)]
    )
    func aChangeOfTheRenewalStatusFallsBackToTheRenewalInfo(
        subtype: String?,
        status: AutoRenewStatus?,
        expected: EventType
    ) {
        #expect(label("DID_CHANGE_RENEWAL_STATUS", subtype, autoRenewStatus: status) == expected)
    }
}
