package import EntitlementDomain

/// An event as it stands in the log: the columns of table `events`.
package struct EventRecord: Sendable, Hashable {
    package var position: Int64
    package var eventID: AccountID
    package var type: EventType
    package var store: Store
    package var environment: StoreEnvironment
    package var bundleID: String?
    package var lineID: String?
    /// Explicit: the account that the event links, transfers to or grants to.
    package var account: AccountID?
    package var signedAt: Instant?
    package var recordedAt: Instant
    package var source: EventSource
    package var statementID: [UInt8]
    package var notificationType: String?
    package var notificationSubtype: String?
    package var transaction: TransactionFacts?
    package var renewal: RenewalFacts?
    package var command: CommandFacts?
    package var evidenceDigests: [[UInt8]]
    /// Canonical JSON.
    package var payload: [UInt8]
    package var hash: [UInt8]

    /// The line that this event concerns; nil for one that concerns none.
    package var line: LineID? {
        guard let bundleID, let lineID, store == .appStore else { return nil }
        return LineID(
            store: store,
            environment: environment,
            bundleID: bundleID,
            originalTransactionID: lineID,
            ownership: transaction?.ownership ?? lineOwnership
        )
    }

    /// What the event does to the account that it names; nil for one that concerns a line, or no account.
    package var accountCommand: CommandFacts? {
        if account == nil || line != nil { return nil }
        return command ?? (type == .accountErased ? CommandFacts() : nil)
    }

    /// The ownership part of the line's key, for events that carry no transaction.
    package var lineOwnership: Ownership = .purchased

    package init(
        position: Int64,
        eventID: AccountID,
        type: EventType,
        store: Store,
        environment: StoreEnvironment,
        bundleID: String? = nil,
        lineID: String? = nil,
        account: AccountID? = nil,
        signedAt: Instant? = nil,
        recordedAt: Instant,
        source: EventSource,
        statementID: [UInt8],
        notificationType: String? = nil,
        notificationSubtype: String? = nil,
        transaction: TransactionFacts? = nil,
        renewal: RenewalFacts? = nil,
        command: CommandFacts? = nil,
        lineOwnership: Ownership = .purchased,
        evidenceDigests: [[UInt8]] = [],
        payload: [UInt8],
        hash: [UInt8] = []
    ) {
        self.position = position
        self.eventID = eventID
        self.type = type
        self.store = store
        self.environment = environment
        self.bundleID = bundleID
        self.lineID = lineID
        self.account = account
        self.signedAt = signedAt
        self.recordedAt = recordedAt
        self.source = source
        self.statementID = statementID
        self.notificationType = notificationType
        self.notificationSubtype = notificationSubtype
        self.transaction = transaction
        // No column of its own: the source says it.
        self.transaction?.isFromReceipt = source == .receipt
        self.renewal = renewal
        self.command = command
        self.lineOwnership = lineOwnership
        self.evidenceDigests = evidenceDigests
        self.payload = payload
        self.hash = hash
    }
}
