/// The columns of table `events` that the hash covers, with their types, in the order of the table.
enum EventColumns {
    enum Kind: Sendable {
        case int8
        case int4
        case bool
        case text
        case uuid
        case timestamptz
        case bytea
        case byteaList
        case jsonb
    }

    static let all: [(name: String, kind: Kind)] = [
        ("position", .int8), ("event_id", .uuid), ("type", .text), ("store", .text), ("environment", .text),
        ("bundle_id", .text), ("line_id", .text), ("transaction_id", .text), ("account", .uuid),
        ("signed_at", .timestamptz), ("recorded_at", .timestamptz), ("source", .text), ("statement_id", .bytea),
        ("notification_type", .text), ("notification_subtype", .text), ("transaction_signed_at", .timestamptz),
        ("product_id", .text), ("product_type", .text), ("ownership", .text), ("purchased_at", .timestamptz),
        ("original_purchased_at", .timestamptz), ("expires_at", .timestamptz), ("web_order_line_item_id", .text),
        ("quantity", .int4), ("revoked_at", .timestamptz), ("revocation_kind", .text), ("revocation_reason", .int4),
        ("revocation_percentage", .int4), ("is_upgraded", .bool), ("offer_type", .int4), ("offer_id", .text),
        ("offer_discount_type", .text), ("offer_period", .text), ("is_renewal", .bool), ("app_account_token", .uuid),
        ("subscription_group_id", .text), ("renewal_signed_at", .timestamptz), ("auto_renews", .bool),
        ("renewal_product_id", .text), ("auto_renew_product_id", .text), ("is_in_billing_retry", .bool),
        ("grace_period_expires_at", .timestamptz), ("expiration_intent", .int4), ("renews_at", .timestamptz),
        ("price_increase_status", .int4), ("renewal_price", .int8), ("renewal_currency", .text),
        ("renewal_offer_type", .int4), ("renewal_offer_id", .text), ("renewal_offer_discount_type", .text),
        ("renewal_offer_period", .text), ("status", .int4), ("says_grace_period", .bool), ("command_id", .uuid),
        ("entitlement", .text), ("currency", .text), ("units", .int8), ("starts_at", .timestamptz),
        ("ends_at", .timestamptz), ("evidence_digests", .byteaList), ("payload", .jsonb),
    ]

    static let environment = 4
    static let account = 8
    static let appAccountToken = 34
    static let evidenceDigests = 59
    static let payload = 60
    static let hash = 61
}
