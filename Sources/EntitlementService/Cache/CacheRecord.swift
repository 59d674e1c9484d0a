import EntitlementDomain

/// How an answer lies in a segment: six words, and behind them its values (or, without a pattern, its text).
enum CacheRecord {
    /// The answer is kept as text: word 6 has its length, word 7 where position and instant stand.
    static let noPattern = 0xFFFF_FFFF

    static let headerWords = 6
    static let keyHigh = 1
    static let keyLow = 2
    /// The first instant, in milliseconds, that the answer is not right for any more.
    static let end = 3
    /// The first instant that it is right for.
    static let start = 4
    /// The number of the log's position that it was read at.
    static let position = 5

    /// Bits of the first word.
    static let live: UInt64 = 1 << 63
    /// It was asked for since the segment was last cleaned.
    static let used: UInt64 = 1 << 62

    static func head(words: Int, environment: UInt8, pattern: Int) -> UInt64 {
        live | UInt64(environment) << 56 | UInt64(words) << 32 | UInt64(pattern)
    }

    /// The words of the record, or of a gap.
    static func words(_ head: UInt64) -> Int { Int(head >> 32 & 0xFF_FFFF) }

    static func environment(_ head: UInt64) -> UInt8 { UInt8(head >> 56 & 0x3F) }

    static func pattern(_ head: UInt64) -> Int { Int(head & 0xFFFF_FFFF) }
}
