package import EntitlementDomain
package import JSON
package import JSONRPC

/// `entitlements.explain`: the answer, the rule and the facts that gave it, and the events behind them.
package enum EntitlementsExplain: APIMethod {
    package typealias Parameters = EntitlementsGet.Parameters

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
        /// The facts of the transaction that decides, by transaction id.
        package var transactions: [String: TransactionFacts]
        /// All events of the key up to the cut, oldest first.
        package var events: [EventsList.Event]
        /// Whether older events were left out.
        package var isShortened: Bool

        package init(
            answer: Answer,
            position: LogPosition,
            holds: [HoldEntry],
            transactions: [String: TransactionFacts],
            events: [EventsList.Event],
            isShortened: Bool
        ) {
            self.answer = answer
            self.position = position
            self.holds = holds
            self.transactions = transactions
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
            for entry in holds {
                writer.beginObject()
                writer.member("holdId", entry.hold.id.description)
                writer.member("entitlement", entry.hold.entitlement)
                writer.member("originalTransactionId", entry.originalTransactionID)
                writer.member("placedAt", entry.hold.placedAt.iso8601)
                writer.member("liftedAt", entry.hold.liftedAt?.iso8601)
                writer.endObject()
            }
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
            writer.key("rule")
            writer.beginObject()
            writer.member("code", rule.rawValue)
            writer.member("sentence", rule.sentence(for: source))
            writer.endObject()
            writer.nullable("facts", source.transactionID.flatMap { transactions[$0] }) { $0.write($1) }
            writer.key("events")
            writer.beginArray()
            for event in events where concerns(event, source) { Self.write(event, to: &writer) }
            writer.endArray()
            writer.endObject()
        }

        /// Whether an event is behind a source: it is of the source's line, or made the grant, or is about the account as
        /// a whole.
        private func concerns(_ event: EventsList.Event, _ source: EntitlementSource) -> Bool {
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

        package static var schema: JSONValue {
            [
                "type": "object", "required": ["position", "at", "entitlements", "holds"],
                "properties": [
                    "position": ["type": "string"],
                    "at": ["type": "string", "format": "date-time"],
                    "entitlements": [
                        "type": "array",
                        "items": [
                            "type": "object", "required": ["answer", "rule", "facts", "events"],
                            "properties": [
                                "answer": EntitlementEntry.schema,
                                "rule": [
                                    "type": "object", "required": ["code", "sentence"],
                                    "properties": [
                                        "code": [
                                            "type": "string",
                                            "enum": .array(EntitlementRule.allCases.map { .string($0.rawValue) }),
                                        ],
                                        "sentence": ["type": "string"],
                                    ],
                                ],
                                "facts": ["type": ["object", "null"]],
                                "events": ["type": "array", "items": ["type": "object"]],
                            ],
                        ],
                    ],
                    "holds": ["type": "array", "items": ["type": "object"]],
                    "nextChangeAt": ["type": ["string", "null"], "format": "date-time"],
                    "olderEventsLeftOut": ["type": "boolean"],
                ],
            ]
        }
    }

    package static let name = "entitlements.explain"
    package static let scope: Scope? = .read
    package static let summary =
        "The answer for a key with the rule that decided, the facts, and the events and evidence behind it."
    package static let declared = EntitlementsGet.declared
    package static let reasons: [ErrorReason] = [.positionNotReached]

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
        member("productId", facts.productID)
        member("signedDate", facts.signedAt.iso8601)
        member("purchaseDate", facts.purchasedAt.iso8601)
        member("expiresDate", facts.expiresAt?.iso8601)
        member("revocationDate", facts.revokedAt?.iso8601)
        member("isUpgraded", facts.isUpgraded)
        member("quantity", Int64(facts.quantity))
        member("webOrderLineItemId", facts.webOrderLineItemID)
        endObject()
    }
}
