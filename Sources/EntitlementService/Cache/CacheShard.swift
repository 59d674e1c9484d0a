import EntitlementDomain

/// One part of the cache: records in segments that are filled one after the other, and an index over them.
///
/// When there is no room for a further segment, the one that was filled longest ago is cleaned: records that were asked for
/// since it was last cleaned stay (a second chance), the others and those that are not right any more go. Nothing is
/// allocated for a single record, so the memory is known to the byte.
struct CacheShard {
    /// 64 KiB.
    static let segmentWords = 8_192
    /// The longest record; a longer answer is not kept.
    static let maximumRecordWords = segmentWords / 2
    private static let smallestIndex = 64

    private(set) var segments: [[UInt64]] = []
    /// The segment that is being filled, and how far.
    private var current = 0
    private var offset = CacheShard.segmentWords
    /// Open addressing: where a record begins, plus one; 0: free.
    private var index: [UInt32] = []
    private let budget: Int
    private let seed: UInt64
    /// The patterns that records name, by their ids.
    private(set) var patterns: [AnswerPattern?] = []

    private(set) var count = 0
    private(set) var evictions = 0

    /// - Parameters:
    ///   - budget: the most bytes for segments and index.
    ///   - seed: see `AnswerKey.hash`.
    init(budget: Int, seed: UInt64) {
        self.budget = budget
        self.seed = seed
    }

    /// The bytes of segments and index.
    var bytes: Int { segments.count * Self.segmentWords * 8 + index.count * 4 }

    // MARK: Records

    /// Where the record of a key begins; nil when there is none.
    func find(_ key: AnswerKey) -> Int? {
        if index.isEmpty { return nil }
        let mask = index.count - 1
        var slot = Int(truncatingIfNeeded: key.hash(seed)) & mask
        while index[slot] != 0 {
            let place = Int(index[slot]) - 1
            if self.key(at: place) == key { return place }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// A word of a record.
    @inline(__always)
    func word(_ place: Int, _ offset: Int) -> UInt64 {
        segments[place / Self.segmentWords][place % Self.segmentWords + offset]
    }

    /// Notes that a record was asked for.
    @inline(__always)
    mutating func markUsed(_ place: Int) {
        segments[place / Self.segmentWords][place % Self.segmentWords] |= CacheRecord.used
    }

    /// Takes out the record of a key.
    mutating func remove(_ key: AnswerKey) {
        guard let place = find(key) else { return }
        segments[place / Self.segmentWords][place % Self.segmentWords] &= ~CacheRecord.live
        unlink(key)
    }

    /// Takes out everything; memory is kept for what comes.
    mutating func removeAll() {
        for slot in index.indices { index[slot] = 0 }
        count = 0
        current = 0
        offset = segments.isEmpty ? Self.segmentWords : 0
        for number in segments.indices { segments[number][0] = Self.gap(Self.segmentWords) }
    }

    /// Puts an answer in the place of what was known of its key.
    mutating func insert(_ answer: CachedAnswer, for key: AnswerKey) {
        remove(key)
        let values = answer.words
        let words = CacheRecord.headerWords + values.count
        guard words <= Self.maximumRecordWords, makeIndexRoom(), makeRoom(words) else { return }
        if let pattern = answer.pattern { remember(pattern) }
        let place = current * Self.segmentWords + offset
        let start = offset
        let head = CacheRecord.head(
            words: words,
            environment: key.environment,
            pattern: answer.pattern?.id ?? CacheRecord.noPattern
        )
        write(head, key, answer, values, at: start)
        offset += words
        closeGap()
        link(key, place)
    }

    private mutating func write(
        _ head: UInt64,
        _ key: AnswerKey,
        _ answer: CachedAnswer,
        _ values: [UInt64],
        at start: Int
    ) {
        segments[current][start] = head
        segments[current][start + CacheRecord.keyHigh] = key.account.high
        segments[current][start + CacheRecord.keyLow] = key.account.low
        segments[current][start + CacheRecord.end] = UInt64(bitPattern: answer.end?.milliseconds ?? .max)
        segments[current][start + CacheRecord.start] = UInt64(bitPattern: answer.start.milliseconds)
        segments[current][start + CacheRecord.position] = UInt64(bitPattern: answer.position.number)
        for (number, value) in values.enumerated() {
            segments[current][start + CacheRecord.headerWords + number] = value
        }
    }

    private mutating func remember(_ pattern: AnswerPattern) {
        while patterns.count <= pattern.id { patterns.append(nil) }
        patterns[pattern.id] = pattern
    }

    private func key(at place: Int) -> AnswerKey {
        AnswerKey(
            AccountID(high: word(place, CacheRecord.keyHigh), low: word(place, CacheRecord.keyLow)),
            environment: CacheRecord.environment(word(place, 0))
        )
    }

    // MARK: Segments

    /// Unused words up to the end of a segment.
    private static func gap(_ words: Int) -> UInt64 { UInt64(words) << 32 }

    /// Marks what is left of the current segment as unused.
    private mutating func closeGap() {
        if offset < Self.segmentWords { segments[current][offset] = Self.gap(Self.segmentWords - offset) }
    }

    /// Sees to it that so many words are free in the current segment.
    private mutating func makeRoom(_ words: Int) -> Bool {
        if offset + words <= Self.segmentWords { return true }
        // The index may have to double once more for what fits into a further segment.
        if (segments.count + 1) * Self.segmentWords * 8 + index.count * 8 <= budget || segments.isEmpty {
            segments.append([UInt64](repeating: 0, count: Self.segmentWords))
            current = segments.count - 1
            offset = 0
            return true
        }
        current = (current + 1) % segments.count
        clean()
        return offset + words <= Self.segmentWords
    }

    /// Keeps what was asked for lately, in half of the segment at most, and drops the rest of the current segment.
    private mutating func clean() {
        var from = 0
        var to = 0
        while from < Self.segmentWords {
            let head = segments[current][from]
            let words = CacheRecord.words(head)
            if head & CacheRecord.live != 0 {
                let place = current * Self.segmentWords
                let key = self.key(at: place + from)
                if head & CacheRecord.used != 0, to + words <= Self.segmentWords / 2 {
                    if to != from {
                        relink(key, from: place + from, to: place + to)
                        for number in 0..<words { segments[current][to + number] = segments[current][from + number] }
                    }
                    segments[current][to] = head & ~CacheRecord.used
                    to += words
                } else {
                    unlink(key)
                    evictions += 1
                }
            }
            from += words
        }
        offset = to
        closeGap()
    }

    // MARK: Index

    private func slot(of key: AnswerKey, _ place: Int) -> Int? {
        let mask = index.count - 1
        var slot = Int(truncatingIfNeeded: key.hash(seed)) & mask
        while index[slot] != 0 {
            if Int(index[slot]) - 1 == place { return slot }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private mutating func relink(_ key: AnswerKey, from: Int, to: Int) {
        if let slot = slot(of: key, from) { index[slot] = UInt32(to + 1) }
    }

    private mutating func link(_ key: AnswerKey, _ place: Int) {
        let mask = index.count - 1
        var slot = Int(truncatingIfNeeded: key.hash(seed)) & mask
        while index[slot] != 0 { slot = (slot + 1) & mask }
        index[slot] = UInt32(place + 1)
        count += 1
    }

    /// Takes a key out of the index; its record's words must still be there.
    private mutating func unlink(_ key: AnswerKey) {
        let mask = index.count - 1
        var slot = Int(truncatingIfNeeded: key.hash(seed)) & mask
        while index[slot] != 0, self.key(at: Int(index[slot]) - 1) != key { slot = (slot + 1) & mask }
        if index[slot] == 0 { return }
        count -= 1
        // Those behind it move up, so that no search ends too early.
        var next = (slot + 1) & mask
        while index[next] != 0 {
            let home = Int(truncatingIfNeeded: self.key(at: Int(index[next]) - 1).hash(seed)) & mask
            if (next - home) & mask >= (next - slot) & mask {
                index[slot] = index[next]
                slot = next
            }
            next = (next + 1) & mask
        }
        index[slot] = 0
    }

    /// Sees to it that the index has a free place and stays fast.
    private mutating func makeIndexRoom() -> Bool {
        if count * 10 < index.count * 7 { return true }
        let size = max(Self.smallestIndex, index.count * 2)
        if segments.count * Self.segmentWords * 8 + size * 4 > budget, index.count > 0 {
            return count * 10 < index.count * 9
        }
        let old = index
        index = [UInt32](repeating: 0, count: size)
        count = 0
        for entry in old where entry != 0 { link(self.key(at: Int(entry) - 1), Int(entry) - 1) }
        return true
    }
}
