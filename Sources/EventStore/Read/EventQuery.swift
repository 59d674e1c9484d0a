package import EntitlementDomain

/// Which events to list.
package struct EventQuery: Sendable, Hashable {
    /// Whose events.
    package enum Subject: Sendable, Hashable {
        /// Events of the lines an account owns, and those that name the account.
        case account(AccountID)
        /// Events of the lines under an original transaction id.
        case line(String)
    }

    /// Nil: the whole log.
    package var subject: Subject?
    /// Nil: all.
    package var environment: StoreEnvironment?
    /// Only events after this position.
    package var after: LogPosition?
    /// Only events up to this position.
    package var upTo: LogPosition?
    /// Only events dated (signed, or recorded where nothing is signed) up to this instant.
    package var datedUpTo: Instant?
    /// The lines that count as the account's; nil: those that it owns now.
    package var lines: [LineID]?
    /// Whether the newest events fill the page, instead of the oldest; they come in log order all the same.
    package var isNewest: Bool
    /// The most events in the page.
    package var limit: Int

    package init(
        subject: Subject? = nil,
        environment: StoreEnvironment? = nil,
        after: LogPosition? = nil,
        upTo: LogPosition? = nil,
        datedUpTo: Instant? = nil,
        lines: [LineID]? = nil,
        isNewest: Bool = false,
        limit: Int = 100
    ) {
        self.subject = subject
        self.environment = environment
        self.after = after
        self.upTo = upTo
        self.datedUpTo = datedUpTo
        self.lines = lines
        self.isNewest = isNewest
        self.limit = limit
    }
}

/// A page of the log.
package struct EventPage: Sendable {
    package var events: [ListedEvent]
    /// The log's head when the page was read.
    package var head: LogPosition
    package var hasMore: Bool
}

/// An event as it is listed: what it says of itself, without its typed facts, which its payload repeats.
package struct ListedEvent: Sendable {
    package var position: Int64
    package var eventID: AccountID
    package var type: String
    package var store: String
    package var environment: String
    package var bundleID: String?
    package var lineID: String?
    package var transactionID: String?
    package var account: AccountID?
    package var commandID: AccountID?
    package var signedAt: Instant?
    package var recordedAt: Instant
    package var source: String
    package var notificationType: String?
    package var notificationSubtype: String?
    package var evidenceDigests: [[UInt8]]
    /// The decoded statement as JSON.
    package var payload: [UInt8]
    package var hash: [UInt8]
}
