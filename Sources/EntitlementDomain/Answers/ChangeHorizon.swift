/// Collects the instants at which the clock alone can change an answer, and keeps the next one.
package struct ChangeHorizon: Sendable, Hashable {
    /// The instant that the answer is for.
    package let instant: Instant
    /// The first later instant at which the answer may differ; nil: never, by the clock alone.
    package private(set) var next: Instant?

    package init(after instant: Instant) {
        self.instant = instant
    }

    /// Notes an instant at which something begins or ends.
    package mutating func note(_ boundary: Instant?) {
        guard let boundary, boundary > instant else { return }
        next = next.map { min($0, boundary) } ?? boundary
    }
}
