import EntitlementDomain

/// What can be used of a genuine notification: the facts that agree with its envelope, their line, and the label.
///
/// Nothing here refuses: what contradicts the envelope, or lacks what facts need, is left out, and the notification
/// is then labelled `received`.
struct NotificationReading {
    private(set) var line: LineID?
    private(set) var facts = StatementFacts(namedType: .received)

    /// Nothing can be used.
    init() {}

    /// - Parameters:
    ///   - environment: that of the notification, known to be accepted.
    ///   - bundleID: the notification's app, known to be ours.
    init(_ parts: NotificationParts, environment: StoreEnvironment, bundleID: String) {
        let envelope = parts.envelope.content
        let transaction = parts.transaction?.content
        let renewalInfo = parts.renewalInfo?.content
        // A member that a part does not name contradicts nothing: the App Store has put the parts together.
        if let transaction {
            guard (transaction.bundleID ?? bundleID) == bundleID,
                (transaction.environment ?? environment) == environment
            else { return }
        }
        let originalTransactionID =
            transaction?.originalTransactionID ?? renewalInfo?.originalTransactionID ?? transaction?.transactionID
        guard let originalTransactionID else { return }
        let doesRenewalAgree =
            (renewalInfo?.environment ?? environment) == environment
            && (renewalInfo?.originalTransactionID ?? originalTransactionID) == originalTransactionID

        if var facts = transaction?.facts(envelopeSignedAt: envelope.signedAt) {
            facts.originalTransactionID = originalTransactionID
            self.facts.transaction = facts
        }
        if doesRenewalAgree {
            facts.renewal = RenewalFacts(
                renewalInfo,
                in: envelope,
                transactionSignedAt: facts.transaction?.signedAt
            )
        }
        guard facts.transaction != nil || facts.renewal != nil else { return }
        line = LineID(
            environment: environment,
            bundleID: bundleID,
            originalTransactionID: originalTransactionID,
            ownership: transaction?.ownershipType == .familyShared ? .familyShared : .purchased
        )
        let isWhole = doesRenewalAgree && (transaction == nil) == (facts.transaction == nil)
        let label = EventType(envelope.type, envelope.subtype, autoRenewStatus: renewalInfo?.autoRenewStatus)
        if isWhole, facts.transaction != nil || !label.tellsOfTransaction { facts.namedType = label }
    }
}

extension EventType {
    /// Whether the label says something about a transaction, and would be empty words without its facts.
    fileprivate var tellsOfTransaction: Bool {
        switch self {
        case .refunded, .refundReversed, .revoked: true
        default: announcesTransaction
        }
    }
}
