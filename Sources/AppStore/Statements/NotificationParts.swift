import EntitlementDomain

/// A notification's envelope and the signed texts inside it, each verified by its own certificates.
struct NotificationParts {
    let envelope: SignedPart<NotificationPayload>
    private(set) var transaction: SignedPart<TransactionPayload>?
    private(set) var renewalInfo: SignedPart<RenewalInfoPayload>?
    private(set) var appTransaction: SignedPart<AppTransactionPayload>?

    /// Verifies the texts inside the envelope.
    init(_ envelope: SignedPart<NotificationPayload>, reader: StatementReader, now: Instant) throws(StatementError) {
        self.envelope = envelope
        if let text = Self.text(envelope.content.data?.signedTransactionInfo) {
            transaction = try reader.transaction(text, now: now)
        }
        if let text = Self.text(envelope.content.data?.signedRenewalInfo) {
            renewalInfo = try reader.renewalInfo(text, now: now)
        }
        if let text = Self.text(envelope.content.appData?.signedAppTransactionInfo) {
            appTransaction = try reader.appTransaction(text, now: now)
        }
    }

    /// An empty text is no signed one.
    private static func text(_ text: String?) -> String? {
        text.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Who signed each part, and for which environment.
    var origins: [(trust: StatementTrust, environment: StoreEnvironment?)] {
        var origins = [(trust: envelope.trust, environment: envelope.environment)]
        if let transaction { origins.append((transaction.trust, transaction.environment)) }
        if let renewalInfo { origins.append((renewalInfo.trust, renewalInfo.environment)) }
        if let appTransaction { origins.append((appTransaction.trust, appTransaction.environment)) }
        return origins
    }

    /// All parts as they are stored.
    var payload: StatementPayload {
        StatementPayload(
            notification: envelope.content,
            transaction: transaction?.content,
            renewalInfo: renewalInfo?.content,
            appTransaction: appTransaction?.content
        )
    }
}
