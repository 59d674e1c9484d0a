import EntitlementDomain

/// A shard, and what decides whether its answers may be given and whether an answer may be put into it.
struct CachePart {
    var shard: CacheShard
    /// Nil: the feed is not followed (yet, or any more), so nothing is given and nothing is kept.
    var place: CachePlace?
    /// The last position at which something here stopped being right. A snapshot from before it is not kept: it may have
    /// been read before the change and have come after the news of it.
    var floor: Int64 = 0
    /// Counts how often all was dropped: a snapshot that was asked for before is not kept after.
    var generation: UInt64 = 0
    var hits: UInt64 = 0

    /// Forgets everything.
    mutating func clear(_ place: CachePlace?) {
        shard.removeAll()
        generation &+= 1
        self.place = place
        floor = place?.position.number ?? 0
    }

    /// Forgets what is known of an account that changed at a position.
    mutating func invalidate(_ key: AnswerKey, at position: LogPosition) {
        // An append can meet a new epoch before the feed does. Then all is dropped in a moment; until then no position of
        // this epoch tells old from new.
        guard let place, place.position.epoch == position.epoch else {
            clear(nil)
            return
        }
        floor = max(floor, position.number)
        shard.remove(key)
    }

    /// Keeps an answer, unless it may be older than something that is known.
    mutating func insert(_ answer: CachedAnswer, for key: AnswerKey, generation: UInt64) {
        guard let place, generation == self.generation, answer.position.epoch == place.position.epoch,
            answer.position.number >= floor
        else { return }
        shard.insert(answer, for: key)
    }

    /// Puts an answer together behind `bytes`.
    ///
    /// - Parameters:
    ///   - maximumLag: how old the last word of the feed may be.
    ///   - minimum: the position that the answer must have reached.
    /// - Returns: nil when there is none, and then nothing is written.
    mutating func write(
        _ key: AnswerKey,
        at now: Instant,
        heardAt: ContinuousClock.Instant,
        maximumLag: Duration,
        minimum: LogPosition?,
        to bytes: inout [UInt8]
    ) -> CacheHit? {
        guard let place, heardAt - place.heardAt <= maximumLag, let record = shard.find(key) else { return nil }
        let number = Int64(bitPattern: shard.word(record, CacheRecord.position))
        guard now.milliseconds < Int64(bitPattern: shard.word(record, CacheRecord.end)),
            now.milliseconds >= Int64(bitPattern: shard.word(record, CacheRecord.start))
        else { return nil }
        if let minimum {
            guard minimum.epoch == place.position.epoch, minimum.number <= max(number, place.position.number) else {
                return nil
            }
        }
        hits += 1
        shard.markUsed(record)
        let readAt = LogPosition(epoch: place.position.epoch, number: number)
        let isAhead = number > place.position.number
        shard.write(record, position: isAhead ? Array(readAt.description.utf8) : place.text, at: now, to: &bytes)
        return CacheHit(readAt: readAt, confirmedTo: place.feed, basis: place.basis)
    }
}
