package import EntitlementDomain

/// A verified statement on its way into the log.
package struct StatementRecord: Sendable {
    /// One signed text exactly as it was received.
    package struct Evidence: Sendable, Hashable {
        /// SHA-256 of the text.
        package var digest: [UInt8]
        package var text: [UInt8]
        /// Its stored form, made before the log's lock is taken.
        var stored: EvidenceCodec.Encoded?
        /// The pseudonyms of the accounts that it names, once the statement is on its way into the log.
        var sealedFor: [AccountID] = []

        package init(digest: [UInt8], text: [UInt8]) {
            self.digest = digest
            self.text = text
        }
    }

    /// What makes it the same statement when it comes again: 16 bytes of a `notificationUUID` or 32 of a digest.
    package var identity: [UInt8]
    package var source: EventSource
    package var environment: StoreEnvironment
    package var bundleID: String?
    /// The line its facts are about; nil: it has no effect on any line.
    package var line: LineID?
    package var facts: StatementFacts
    package var notificationType: String?
    package var notificationSubtype: String?
    package var signedAt: Instant
    /// The decoded statement as canonical JSON.
    package var payload: [UInt8]
    package var evidence: [Evidence]
    /// Where the payload names accounts; found here because the one writer has better things to do.
    var mentions: AccountMentions

    package init(
        identity: [UInt8],
        source: EventSource,
        environment: StoreEnvironment,
        bundleID: String? = nil,
        line: LineID? = nil,
        facts: StatementFacts = StatementFacts(),
        notificationType: String? = nil,
        notificationSubtype: String? = nil,
        signedAt: Instant,
        payload: [UInt8],
        evidence: [Evidence]
    ) {
        self.identity = identity
        self.source = source
        self.environment = environment
        self.bundleID = bundleID
        self.line = line
        self.facts = facts
        self.notificationType = notificationType
        self.notificationSubtype = notificationSubtype
        self.signedAt = signedAt
        self.payload = payload
        self.evidence = evidence
        mentions = AccountMentions(in: payload)
    }

    /// The accounts that the statement names.
    var namedAccounts: Set<AccountID> {
        var accounts = mentions.tokens
        if let token = facts.transaction?.appAccountToken { accounts.insert(token) }
        return accounts
    }
}
