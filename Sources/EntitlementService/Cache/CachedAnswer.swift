import EntitlementDomain

/// An answer on its way into the cache.
struct CachedAnswer {
    /// The answer's text, as the result of `entitlements.get`.
    var parts: AnswerParts
    /// Nil: it is kept as text.
    var pattern: AnswerPattern?
    var text: [UInt8]
    /// The instant it was made for.
    var start: Instant
    /// The next instant at which the clock may change it.
    var end: Instant?
    /// Where it was read.
    var position: LogPosition

    /// The words behind the header.
    var words: [UInt64] {
        if pattern != nil { return parts.values }
        var words = [UInt64(text.count), Self.packed(parts.position, parts.instant)]
        words.reserveCapacity(2 + (text.count + 7) / 8)
        var index = 0
        while index < text.count {
            var word: UInt64 = 0
            for offset in 0..<min(8, text.count - index) { word |= UInt64(text[index + offset]) << UInt64(8 * offset) }
            words.append(word)
            index += 8
        }
        return words
    }

    /// Two ranges within the first 64 KiB in one word.
    private static func packed(_ first: Range<Int>, _ second: Range<Int>) -> UInt64 {
        UInt64(first.lowerBound) << 48 | UInt64(first.count) << 32 | UInt64(second.lowerBound) << 16
            | UInt64(second.count)
    }

    /// The ranges that `packed` has put into a word.
    static func ranges(_ word: UInt64) -> (position: Range<Int>, instant: Range<Int>) {
        func range(_ bits: UInt64) -> Range<Int> {
            let start = Int(bits >> 16 & 0xFFFF)
            return start..<start + Int(bits & 0xFFFF)
        }
        return (range(word >> 32), range(word))
    }
}
