import EntitlementDomain

/// How far the change feed has been applied to a part of the cache: up to `position`, as it was at `heardAt`.
struct CachePlace: Sendable {
    var position: LogPosition
    /// The position as it goes out.
    let text: [UInt8]
    /// When the end of the feed was asked for that `position` is.
    var heardAt: ContinuousClock.Instant

    init(_ position: LogPosition, heardAt: ContinuousClock.Instant) {
        self.position = position
        text = Array(position.description.utf8)
        self.heardAt = heardAt
    }
}
