import EntitlementDomain
package import Postgres

/// The way back from the columns of table `events` to the event: what `EventRow` writes, these read.
extension EventRecord {
    /// The columns that both readers expect, in this order: all columns of table `events` in their own order.
    package static let columns = """
        position, event_id, type, store, environment, bundle_id, line_id, transaction_id, account, signed_at, recorded_at,
        source, statement_id, notification_type, notification_subtype, transaction_signed_at, product_id, product_type,
        ownership, purchased_at, original_purchased_at, expires_at, web_order_line_item_id, quantity, revoked_at,
        revocation_kind, revocation_reason, revocation_percentage, is_upgraded, offer_type, offer_id, offer_discount_type,
        offer_period, is_renewal, app_account_token, subscription_group_id, renewal_signed_at, auto_renews,
        renewal_product_id, auto_renew_product_id, is_in_billing_retry, grace_period_expires_at, expiration_intent,
        renews_at, price_increase_status, renewal_price, renewal_currency, renewal_offer_type, renewal_offer_id,
        renewal_offer_discount_type, renewal_offer_period, status, says_grace_period, command_id, entitlement, currency, units, starts_at, ends_at,
        evidence_digests, payload, hash
        """

    /// The same columns for a reader that folds: what the fold does not look at is a constant, so that nothing of it is
    /// read.
    package static let foldColumns = columns.split(separator: ",").map { column -> String in
        let name = String(column.drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
        return switch name {
        case "event_id": "'00000000-0000-0000-0000-000000000000'::uuid"
        case "statement_id", "hash": "''::bytea"
        case "evidence_digests": "'{}'::bytea[]"
        case "payload": "'{}'::jsonb"
        case "signed_at", "notification_subtype": "NULL"
        default: "e." + name
        }
    }.joined(separator: ", ")

    /// Reads an event from a row of `COPY (SELECT <columns> FROM entitled.events …) TO STDOUT WITH (FORMAT binary)`, or
    /// of a `COPY` of the whole table.
    ///
    /// - Throws: `PostgresError` for a row of another shape; `StoreError.failed` for a value that this version does not
    ///   know, which only a newer one can have written.
    package init(_ row: PostgresCopyRow) throws {
        try self.init(fields: row)
    }

    /// Reads an event from a row of `SELECT <columns> FROM entitled.events …`.
    ///
    /// - Throws: as the reader of COPY rows.
    package init(_ result: PostgresResult, _ row: Int) throws {
        try self.init(fields: EventResultFields(result: result, row: row))
    }

    init(fields: some EventFields) throws {
        let lineID = try fields.optionalText(6)
        let ownership = try fields.optionalText(18).map { try Self.known($0, "ownership", fields, as: Ownership.self) }
        let source: EventSource = try Self.known(try fields.text(11), "source", fields)
        let transaction = try Self.transaction(fields, lineID: lineID, ownership: ownership)
        self.init(
            position: try fields.int64(0),
            eventID: AccountID(try fields.uuid(1)),
            type: try Self.known(try fields.text(2), "type", fields),
            store: try Self.known(try fields.text(3), "store", fields),
            environment: StoreEnvironment(rawValue: try fields.text(4)),
            bundleID: try fields.optionalText(5),
            lineID: lineID,
            account: try fields.optionalUuid(8).map(AccountID.init),
            signedAt: try fields.instant(9),
            recordedAt: Instant(microseconds: try fields.timestamp(10)),
            source: source,
            statementID: try fields.bytes(12),
            notificationType: try fields.optionalText(13),
            notificationSubtype: try fields.optionalText(14),
            transaction: transaction,
            renewal: try Self.renewal(fields),
            command: try Self.command(fields),
            lineOwnership: ownership ?? .purchased,
            evidenceDigests: try fields.bytesArray(59).compactMap(\.self),
            payload: try fields.json(60),
            hash: try fields.bytes(61)
        )
    }

    private static func transaction(
        _ fields: some EventFields,
        lineID: String?,
        ownership: Ownership?
    ) throws -> TransactionFacts? {
        guard let signedAt = try fields.instant(15) else { return nil }
        guard let lineID, let transactionID = try fields.optionalText(7), let productID = try fields.optionalText(16),
            let purchasedAt = try fields.instant(19)
        else {
            throw StoreError.failed("event \(try fields.int64(0)) has facts of a transaction without all of its keys")
        }
        return TransactionFacts(
            transactionID: transactionID,
            originalTransactionID: lineID,
            productID: productID,
            type: try fields.optionalText(17).map { try known($0, "product_type", fields) },
            ownership: ownership ?? .purchased,
            signedAt: signedAt,
            purchasedAt: purchasedAt,
            originalPurchasedAt: try fields.instant(20),
            expiresAt: try fields.instant(21),
            webOrderLineItemID: try fields.optionalText(22),
            quantity: try fields.int(23) ?? 1,
            revokedAt: try fields.instant(24),
            revocationKind: try fields.optionalText(25).map { try known($0, "revocation_kind", fields) } ?? .full,
            revocationReason: try fields.int(26),
            revocationPercentage: try fields.int(27),
            isUpgraded: try fields.optionalBool(28) ?? false,
            offer: try offer(fields, from: 29),
            isRenewal: try fields.optionalBool(33),
            appAccountToken: try fields.optionalUuid(34).map(AccountID.init),
            subscriptionGroupID: try fields.optionalText(35)
        )
    }

    private static func renewal(_ fields: some EventFields) throws -> RenewalFacts? {
        guard let signedAt = try fields.instant(36) else { return nil }
        return RenewalFacts(
            signedAt: signedAt,
            autoRenews: try fields.optionalBool(37),
            productID: try fields.optionalText(38),
            autoRenewProductID: try fields.optionalText(39),
            isInBillingRetry: try fields.optionalBool(40) ?? false,
            gracePeriodExpiresAt: try fields.instant(41),
            expirationIntent: try fields.int(42),
            renewsAt: try fields.instant(43),
            priceIncreaseStatus: try fields.int(44),
            renewalPrice: try fields.optionalInt64(45),
            currency: try fields.optionalText(46),
            offer: try offer(fields, from: 47),
            status: try fields.int(51),
            saysGracePeriod: try fields.optionalBool(52) ?? false
        )
    }

    private static func command(_ fields: some EventFields) throws -> CommandFacts? {
        let facts = CommandFacts(
            id: try fields.optionalUuid(53).map(AccountID.init),
            entitlement: try fields.optionalText(54),
            currency: try fields.optionalText(55),
            units: try fields.optionalInt64(56),
            startsAt: try fields.instant(57),
            endsAt: try fields.instant(58)
        )
        return facts == CommandFacts() ? nil : facts
    }

    private static func offer(_ fields: some EventFields, from column: Int) throws -> Offer? {
        guard let type = try fields.int(column) else { return nil }
        return Offer(
            type: type,
            identifier: try fields.optionalText(column + 1),
            discountType: try fields.optionalText(column + 2),
            period: try fields.optionalText(column + 3)
        )
    }

    /// A value of a closed set. One that is not known must not be passed over: the fold would differ from the live path.
    private static func known<Value: RawRepresentable<String>>(
        _ text: String,
        _ column: String,
        _ fields: some EventFields,
        as type: Value.Type = Value.self
    ) throws -> Value {
        if let value = Value(rawValue: text) { return value }
        throw StoreError.failed(
            "event \(try fields.int64(0)): this version does not know \(column) '\(text)'; upgrade entitled"
        )
    }
}

extension EventFields {
    fileprivate func instant(_ column: Int) throws(PostgresError) -> Instant? {
        try optionalTimestamp(column).map(Instant.init(microseconds:))
    }

    fileprivate func int(_ column: Int) throws(PostgresError) -> Int? {
        try optionalInt32(column).map(Int.init)
    }
}
