import EntitlementDomain
import X509

/// The columns of one event in PostgreSQL's binary form, in the order of table `events`, `hash` excepted.
///
/// These bytes are a format. The hash of an event is SHA-256 over the previous event's hash (32 bytes, zeros before the
/// first event) and these bytes: for each column a four-byte big-endian length and the value as the type's binary send
/// function writes it; for null the length -1 and nothing. A checker needs nothing but a binary `COPY` of the table.
struct EventRow: Sendable {
    /// The number of columns in these bytes.
    static let columnCount: Int16 = 61

    private(set) var bytes: [UInt8] = []

    /// Encodes an event; its `hash` is not looked at.
    init(_ event: EventRecord) {
        bytes.reserveCapacity(1_024 + event.payload.count)
        append(int64: event.position)
        append(uuid: event.eventID)
        append(text: event.type.rawValue)
        append(text: event.store.rawValue)
        append(text: event.environment.rawValue)
        append(text: event.bundleID)
        append(text: event.lineID)
        append(text: event.transaction?.transactionID)
        append(uuid: event.account)
        append(time: event.signedAt)
        append(time: event.recordedAt)
        append(text: event.source.rawValue)
        append(bytes: event.statementID)
        append(text: event.notificationType)
        append(text: event.notificationSubtype)
        append(
            event.transaction,
            ownership: event.lineID == nil ? nil : event.transaction?.ownership ?? event.lineOwnership
        )
        append(event.renewal)
        append(event.command)
        append(list: event.evidenceDigests)
        append(json: event.payload)
    }

    /// The hash of this event in the chain.
    func hash(after previous: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(previous)
        hash.update(bytes)
        return hash.finalize().bytes
    }

    private mutating func append(_ facts: TransactionFacts?, ownership: Ownership?) {
        append(time: facts?.signedAt)
        append(text: facts?.productID)
        append(text: facts?.type?.rawValue)
        append(text: ownership?.rawValue)
        append(time: facts?.purchasedAt)
        append(time: facts?.originalPurchasedAt)
        append(time: facts?.expiresAt)
        append(text: facts?.webOrderLineItemID)
        append(int32: facts?.quantity)
        append(time: facts?.revokedAt)
        append(text: facts?.revocationKind.rawValue)
        append(int32: facts?.revocationReason)
        append(int32: facts?.revocationPercentage)
        append(bool: facts?.isUpgraded)
        append(facts?.offer)
        append(bool: facts?.isRenewal)
        append(uuid: facts?.appAccountToken)
        append(text: facts?.subscriptionGroupID)
    }

    private mutating func append(_ facts: RenewalFacts?) {
        append(time: facts?.signedAt)
        append(bool: facts?.autoRenews)
        append(text: facts?.productID)
        append(text: facts?.autoRenewProductID)
        append(bool: facts?.isInBillingRetry)
        append(time: facts?.gracePeriodExpiresAt)
        append(int32: facts?.expirationIntent)
        append(time: facts?.renewsAt)
        append(int32: facts?.priceIncreaseStatus)
        append(int64: facts?.renewalPrice)
        append(text: facts?.currency)
        append(facts?.offer)
        append(int32: facts?.status)
        append(bool: facts?.saysGracePeriod)
    }

    private mutating func append(_ facts: CommandFacts?) {
        append(uuid: facts?.id)
        append(text: facts?.entitlement)
        append(text: facts?.currency)
        append(int64: facts?.units)
        append(time: facts?.startsAt)
        append(time: facts?.endsAt)
    }

    private mutating func append(_ offer: Offer?) {
        append(int32: offer?.type)
        append(text: offer?.identifier)
        append(text: offer?.discountType)
        append(text: offer?.period)
    }

    // MARK: PostgreSQL's binary form

    private mutating func appendNull() {
        appendBigEndian(Int32(-1))
    }

    private mutating func appendBigEndian<Value: FixedWidthInteger>(_ value: Value) {
        var shift = Value.bitWidth - 8
        while shift >= 0 {
            bytes.append(UInt8(truncatingIfNeeded: value >> Value(shift)))
            shift -= 8
        }
    }

    private mutating func append(int64 value: Int64?) {
        guard let value else { return appendNull() }
        appendBigEndian(Int32(8))
        appendBigEndian(value)
    }

    private mutating func append(int32 value: Int?) {
        guard let value else { return appendNull() }
        appendBigEndian(Int32(4))
        appendBigEndian(Int32(clamping: value))
    }

    private mutating func append(bool value: Bool?) {
        guard let value else { return appendNull() }
        appendBigEndian(Int32(1))
        bytes.append(value ? 1 : 0)
    }

    /// `timestamptz`: microseconds since 2000-01-01T00:00:00Z.
    private mutating func append(time value: Instant?) {
        append(int64: value.map { ($0.milliseconds - 946_684_800_000) * 1_000 })
    }

    private mutating func append(uuid value: AccountID?) {
        guard let value else { return appendNull() }
        appendBigEndian(Int32(16))
        appendBigEndian(value.high)
        appendBigEndian(value.low)
    }

    private mutating func append(text value: String?) {
        guard var value else { return appendNull() }
        value.withUTF8 { utf8 in
            // PostgreSQL's text has no U+0000; what the App Store signed is kept whole in the evidence.
            let clean = unsafe utf8.contains(0) ? unsafe utf8.map { $0 == 0 ? UInt8(ascii: "?") : $0 } : nil
            if let clean {
                append(bytes: clean)
            } else {
                appendBigEndian(Int32(utf8.count))
                unsafe bytes.append(contentsOf: utf8)
            }
        }
    }

    private mutating func append(bytes value: [UInt8]) {
        appendBigEndian(Int32(value.count))
        bytes.append(contentsOf: value)
    }

    /// `bytea[]`, one dimension, no nulls.
    private mutating func append(list values: [[UInt8]]) {
        let byteaOID: Int32 = 17
        let header: Int32 = values.isEmpty ? 12 : 20
        appendBigEndian(header + values.reduce(0) { $0 + 4 + Int32($1.count) })
        appendBigEndian(Int32(values.isEmpty ? 0 : 1))
        appendBigEndian(Int32(0))
        appendBigEndian(byteaOID)
        if !values.isEmpty {
            appendBigEndian(Int32(values.count))
            appendBigEndian(Int32(1))
        }
        for value in values { append(bytes: value) }
    }

    /// `jsonb`: a version byte before the text.
    private mutating func append(json value: [UInt8]) {
        appendBigEndian(Int32(value.count + 1))
        bytes.append(1)
        bytes.append(contentsOf: value)
    }
}
