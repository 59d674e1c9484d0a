import EntitlementDomain
import EventStore

/// How far the change feed has been applied to a part of the cache: up to `feed`, which was its end at `heardAt`.
struct CachePlace: Sendable {
    let feed: FeedPosition
    let basis: FollowedPage.Basis
    /// The position as it goes out.
    let text: [UInt8]
    /// When the end of the feed was asked for.
    let heardAt: ContinuousClock.Instant

    /// The same place with a text of its own: threads that count references to one text would wait for each other.
    var ownCopy: CachePlace { CachePlace(feed, basis, heardAt: heardAt) }

    init(_ feed: FeedPosition, _ basis: FollowedPage.Basis, heardAt: ContinuousClock.Instant) {
        self.feed = feed
        self.basis = basis
        text = Array(feed.log.description.utf8)
        self.heardAt = heardAt
    }

    /// The position of the log.
    var position: LogPosition { feed.log }
}

/// An answer that was given from memory.
struct CacheHit: Sendable {
    /// The position that it was read at.
    var readAt: LogPosition
    /// The place up to which the feed has named no change of it.
    var confirmedTo: FeedPosition
    var basis: FollowedPage.Basis
}
