package import EntitlementDomain
package import JSON
package import JSONRPC

/// `entitlements.explain`: the answer, the rule and the facts that gave it, and the events behind them.
package enum EntitlementsExplain: APIMethod {
    package typealias Parameters = EntitlementsGet.Parameters

    /// What a command said beside its facts: who gave it, and why.
    package struct Note: Sendable, Hashable {
        package var owner: String?
        package var reason: String?

        package init(owner: String? = nil, reason: String? = nil) {
            self.owner = owner
            self.reason = reason
        }
    }

    /// A hold that concerns the key, on or lifted.
    package struct HoldEntry: Sendable {
        package var hold: Hold
        /// The line that is held; nil: the account.
        package var originalTransactionID: String?

        package init(hold: Hold, originalTransactionID: String?) {
            self.hold = hold
            self.originalTransactionID = originalTransactionID
        }
    }

    package struct Response: APIResponse {
        package var answer: Answer
        package var position: LogPosition
        package var holds: [HoldEntry]
        package var grants: [AccountID: Grant]
        /// By grant and hold.
        package var notes: [AccountID: Note]
        /// The facts of the transaction that decides, by transaction id.
        package var transactions: [String: TransactionFacts]
        /// What was last said about the renewal of a line, in the period that decides.
        package var renewals: [LineID: RenewalFacts]
        /// The newest events of the key up to the cut, oldest first.
        package var events: [EventsList.Event]
        /// Whether older events were left out.
        package var isShortened: Bool

        package init(
            answer: Answer,
            position: LogPosition,
            holds: [HoldEntry],
            grants: [AccountID: Grant],
            notes: [AccountID: Note],
            transactions: [String: TransactionFacts],
            renewals: [LineID: RenewalFacts],
            events: [EventsList.Event],
            isShortened: Bool
        ) {
            self.answer = answer
            self.position = position
            self.holds = holds
            self.grants = grants
            self.notes = notes
            self.transactions = transactions
            self.renewals = renewals
            self.events = events
            self.isShortened = isShortened
        }

        package func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("position", position.description)
            writer.member("at", answer.instant.iso8601)
            writer.key("entitlements")
            writer.beginArray()
            for entitlement in answer.entitlements { write(entitlement, to: &writer) }
            writer.endArray()
            writer.key("holds")
            writer.beginArray()
            for entry in holds { write(entry, to: &writer) }
            writer.endArray()
            writer.member("nextChangeAt", answer.nextChangeAt?.iso8601)
            writer.member("olderEventsLeftOut", isShortened)
            writer.endObject()
        }

        private func write(_ entitlement: Entitlement, to writer: inout JSONWriter) {
            let source = entitlement.decisive
            let rule = EntitlementRule(source, at: answer.instant)
            writer.beginObject()
            writer.key("answer")
            EntitlementEntry(entitlement).write(to: &writer)
            writer.key("source")
            writer.beginObject()
            EntitlementEntry.write(source, to: &writer)
            writer.endObject()
            writer.key("rule")
            writer.beginObject()
            writer.member("code", rule.rawValue)
            writer.member("sentence", rule.sentence(for: source))
            writer.endObject()
            writer.nullable("facts", source.transactionID.flatMap { transactions[$0] }) { $0.write($1) }
            let line = source.transactionID == nil ? nil : source.lineID
            writer.nullable("renewalInfo", line.flatMap { renewals[$0] }) {
                SubscriptionsStatus.Response.write($1, to: &$0)
            }
            writer.nullable("grant", source.grantID.flatMap { grants[$0] }) { write($1, to: &$0) }
            writer.key("events")
            writer.beginArray()
            for event in events where concerns(event, source) { Self.write(event, to: &writer) }
            writer.endArray()
            writer.endObject()
        }

        private func write(_ entry: HoldEntry, to writer: inout JSONWriter) {
            let note = notes[entry.hold.id]
            writer.beginObject()
            writer.member("holdId", entry.hold.id.description)
            writer.member("on", entry.hold.isOn(at: answer.instant))
            writer.member("owner", note?.owner)
            writer.member("reason", note?.reason)
            writer.member("entitlement", entry.hold.entitlement)
            writer.member("originalTransactionId", entry.originalTransactionID)
            writer.member("placedAt", entry.hold.placedAt.iso8601)
            writer.member("liftedAt", entry.hold.liftedAt?.iso8601)
            writer.endObject()
        }

        private func write(_ grant: Grant, to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("grantId", grant.id.description)
            writer.member("reason", notes[grant.id]?.reason)
            writer.member("startsAt", grant.startsAt.iso8601)
            writer.member("expiresAt", grant.endsAt?.iso8601)
            writer.member("revokedAt", grant.revokedAt?.iso8601)
            writer.endObject()
        }

        /// Whether an event is behind a source: it is of the source's line, made the grant, placed or lifted a hold on it,
        /// or is about the account as a whole.
        private func concerns(_ event: EventsList.Event, _ source: EntitlementSource) -> Bool {
            if event.type.hasPrefix("Hold"), let hold = holds.first(where: { $0.hold.id == event.commandID }),
                let held = hold.hold.entitlement, held != source.entitlement
            {
                return false
            }
            if let line = event.lineID {
                return line == source.originalTransactionID && event.bundleID == source.bundleID
            }
            if let commandID = event.commandID, source.store == .grant, event.type.hasPrefix("Grant") {
                return commandID == source.grantID
            }
            return event.type.hasPrefix("Hold") || event.type == EventType.accountErased.rawValue
        }

        private static func write(_ event: EventsList.Event, to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("position", event.position.description)
            writer.member("type", event.type)
            writer.member("source", event.source)
            writer.member("transactionId", event.transactionID)
            writer.member("signedAt", event.signedAt?.iso8601)
            writer.member("recordedAt", event.recordedAt.iso8601)
            writer.key("evidence")
            writer.beginArray()
            for digest in event.evidence { writer.string(digest) }
            writer.endArray()
            writer.endObject()
        }

        package static var schema: JSONValue { ExplainSchemas.result }
    }

    package static let name = "entitlements.explain"
    package static let scope: Scope? = .read
    package static let summary =
        "The answer for a key with the rule that decided, the facts, and the events and evidence behind it."
    package static let declared = EntitlementsGet.declared
    package static let reasons: [ErrorReason] = [.notFound, .positionNotReached]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        try EntitlementsGet.read(reader)
    }
}

extension JSONWriter {
    /// The facts of a transaction, by the App Store's names.
    fileprivate mutating func write(_ facts: TransactionFacts) {
        beginObject()
        member("transactionId", facts.transactionID)
        member("originalTransactionId", facts.originalTransactionID)
        member("webOrderLineItemId", facts.webOrderLineItemID)
        member("productId", facts.productID)
        member("quantity", Int64(facts.quantity))
        member("inAppOwnershipType", facts.ownership.rawValue)
        member("transactionReason", facts.isRenewal.map { $0 ? "RENEWAL" : "PURCHASE" })
        member("purchaseDate", facts.purchasedAt.iso8601)
        member("originalPurchaseDate", facts.originalPurchasedAt?.iso8601)
        member("expiresDate", facts.expiresAt?.iso8601)
        offer("offer", facts.offer)
        member("isUpgraded", facts.isUpgraded)
        revocation(facts.revokedAt, of: facts)
        member("signedDate", facts.signedAt.iso8601)
        endObject()
    }
}
