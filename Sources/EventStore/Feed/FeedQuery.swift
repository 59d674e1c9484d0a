package import EntitlementDomain

/// Which changes to list.
package struct FeedQuery: Sendable, Hashable {
    /// Only changes after this place; nil: from the start.
    package var after: FeedPosition?
    /// Nil: all environments.
    package var environment: StoreEnvironment?
    /// The most changes in the page.
    package var limit: Int

    package init(after: FeedPosition? = nil, environment: StoreEnvironment? = nil, limit: Int = 100) {
        self.after = after
        self.environment = environment
        self.limit = limit
    }
}

/// A change of what one account has.
package struct FeedChange: Sendable, Hashable {
    /// What brought a change.
    package enum Cause: Sendable, Hashable {
        case event
        /// The clock alone, at this instant.
        case clock(at: Instant)
    }

    package var account: AccountID
    package var environment: StoreEnvironment
    package var position: FeedPosition
    package var cause: Cause
}

/// A page of the change feed.
package struct FeedPage: Sendable, Hashable {
    package var changes: [FeedChange]
    /// Where to go on: the last place that was looked at when there are more, else the end of the feed.
    package var position: FeedPosition
    package var hasMore: Bool
    /// The end of the feed when the page was read.
    package var head: FeedPosition
    /// When the clock may bring the next change of any account.
    var dueAt: Instant?
}
