package import EntitlementDomain

/// A part of the change feed: the places behind one of them, up to another one.
package struct FeedStretch: Sendable, Hashable {
    package var after: FeedPosition
    package var end: FeedPosition

    package init(after: FeedPosition, end: FeedPosition) {
        self.after = after
        self.end = end
    }

    /// This stretch with another one that begins where it ends; the other one alone when there is something in between.
    package func extended(by next: FeedStretch) -> FeedStretch {
        end == next.after ? FeedStretch(after: after, end: next.end) : next
    }

    /// Where a reader goes on who has read up to a place and knows all of this stretch.
    package func skipped(from place: FeedPosition) -> FeedPosition {
        after <= place && place <= end ? end : place
    }
}
