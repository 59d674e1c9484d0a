/// Everything one statement says that the fold can use: at most one transaction and one renewal.
package struct StatementFacts: Sendable, Hashable {
    package var transaction: TransactionFacts?
    package var renewal: RenewalFacts?
    /// The event type that the statement's own name asks for; nil when only its facts can tell.
    package var namedType: EventType?

    package init(transaction: TransactionFacts? = nil, renewal: RenewalFacts? = nil, namedType: EventType? = nil) {
        self.transaction = transaction
        self.renewal = renewal
        self.namedType = namedType
    }
}
