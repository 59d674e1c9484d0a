/// How much of the answers is kept in memory, and how far the feed may be behind.
package struct CacheConfiguration: Sendable, Hashable {
    /// The most memory for answers, in bytes, with the index over them; 0: none are kept.
    package var maximumBytes = 128 * 1_024 * 1_024
    /// How old the last word of the change feed may be; after that answers are read from the database until it speaks again.
    package var maximumLag: Duration = .seconds(1)

    package init() {}
}
