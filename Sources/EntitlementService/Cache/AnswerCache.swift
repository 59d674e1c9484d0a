import EntitlementDomain
import EventStore
import Synchronization

/// Answers of `entitlements.get` for accounts and for now, kept in memory.
///
/// An answer is given only while it is right: from the instant it was made for to the next one at which the clock may change
/// it, and as long as neither the change feed nor an append of this instance has named its account. It goes out under the
/// last position up to which the feed has been applied, which is what it is right for. When the feed has said nothing for
/// too long, no answer is given at all.
final class AnswerCache: Sendable {
    private final class Box: Sendable {
        let part: Mutex<CachePart>

        init(_ part: CachePart) { self.part = Mutex(part) }
    }

    private static let bytesPerShard = 1 << 20
    private static let maximumShards = 64

    private let boxes: [Box]
    private let shift: UInt64
    private let seed = UInt64.random(in: .min ... .max)
    private let patterns = PatternTable()
    private let maximumLag: Duration
    /// The last part of the feed that came of this instance's appends alone: what it names is forgotten already.
    private let appended = Mutex<FeedStretch?>(nil)
    private let misses = Atomic<UInt64>(0)
    private let readsThrough = Atomic<UInt64>(0)
    let flights = ReadFlights()

    init(_ configuration: CacheConfiguration) {
        maximumLag = configuration.maximumLag
        var count = 1
        while count < Self.maximumShards, configuration.maximumBytes / (count * 2) >= Self.bytesPerShard { count *= 2 }
        if configuration.maximumBytes == 0 { count = 0 }
        let seed = seed
        boxes = (0..<count).map { _ in
            Box(CachePart(shard: CacheShard(budget: configuration.maximumBytes / count, seed: seed)))
        }
        shift = UInt64(64 - max(1, count).trailingZeroBitCount)
    }

    /// Whether answers are kept at all.
    var isOn: Bool { !boxes.isEmpty }

    /// The upper bits choose the part, the lower ones the place in its index.
    private func box(_ key: AnswerKey) -> Box {
        boxes[Int(truncatingIfNeeded: key.hash(seed) >> shift)]
    }

    // MARK: Answers

    /// Puts the result of `entitlements.get` together behind `bytes`.
    ///
    /// - Parameters:
    ///   - now: the instant asked about.
    ///   - time: when it is asked.
    ///   - minimum: the position that the answer must have reached.
    /// - Returns: nil when there is no answer, and then nothing is written.
    func write(
        _ key: AnswerKey,
        at now: Instant,
        _ time: ContinuousClock.Instant = .now,
        minimum: LogPosition? = nil,
        to bytes: inout [UInt8]
    ) -> CacheHit? {
        if boxes.isEmpty { return nil }
        return box(key).part.withLock {
            $0.write(key, at: now, heardAt: time, maximumLag: maximumLag, minimum: minimum, to: &bytes)
        }
    }

    /// What must be known before a snapshot is read that is to be kept: how often all was dropped by then. Nil: it cannot be
    /// kept now, and must not be shared with others who ask.
    func ticket(_ key: AnswerKey) -> UInt64? {
        if boxes.isEmpty { return nil }
        return box(key).part.withLock { part in
            guard let place = part.place, ContinuousClock.now - place.heardAt <= maximumLag else { return nil }
            return part.generation
        }
    }

    /// Counts a question that the database answers.
    func countRead(isMiss: Bool) {
        if isMiss {
            misses.add(1, ordering: .relaxed)
        } else {
            readsThrough.add(1, ordering: .relaxed)
        }
    }

    /// Keeps an answer.
    ///
    /// - Parameters:
    ///   - json: the result of `entitlements.get`.
    ///   - ticket: from before the snapshot was read.
    func insert(_ json: [UInt8], _ answer: Answer, at position: LogPosition, for key: AnswerKey, ticket: UInt64) {
        guard !boxes.isEmpty, json.count < 1 << 15, let parts = AnswerParts(json, account: key.account) else { return }
        let cached = CachedAnswer(
            parts: parts,
            pattern: patterns.pattern(parts.pattern),
            text: json,
            start: answer.instant,
            end: answer.nextChangeAt,
            position: position
        )
        box(key).part.withLock { $0.insert(cached, for: key, generation: ticket) }
    }

    // MARK: News

    /// Forgets everything and follows the feed from a place; nil: follows nothing.
    func begin(at place: CachePlace?) {
        for box in boxes { box.part.withLock { $0.clear(place?.ownCopy) } }
        flights.detachAll()
    }

    /// Notes that the feed has been applied up to a place.
    ///
    /// - Returns: false when an append of this instance (a catalog, another epoch) has ended the following somewhere.
    func confirm(_ place: CachePlace) -> Bool {
        var isFollowed = true
        for box in boxes {
            box.part.withLock { part in
                if part.place?.position.epoch == place.position.epoch {
                    part.place = place.ownCopy
                } else {
                    isFollowed = false
                }
            }
        }
        return isFollowed
    }

    /// Forgets what is known of accounts that have changed.
    func invalidate(_ changes: [AccountChange]) {
        for change in changes {
            guard let key = AnswerKey(change.account, in: change.environment) else { continue }
            if !boxes.isEmpty { box(key).part.withLock { $0.invalidate(key, at: change.position) } }
            flights.detach(key)
        }
    }

    /// Forgets what this instance has just made untrue; to be called before those who did it are answered.
    func noteAppended(_ changes: AppendedChanges) {
        if changes.changesAll {
            // The follower begins again when it sees the new basis.
            return begin(at: nil)
        }
        invalidate(changes.accounts)
        appended.withLock { $0 = $0?.extended(by: changes.stretch) ?? changes.stretch }
    }

    /// Where the feed must be read on by who has read it up to a place: what follows there may all be known already.
    func unread(after place: FeedPosition) -> FeedPosition {
        appended.withLock { $0?.skipped(from: place) } ?? place
    }

    /// What `/metrics` says of the cache.
    var statistics: CacheStatistics {
        var statistics = CacheStatistics(maximumLag: maximumLag)
        statistics.misses = misses.load(ordering: .relaxed)
        statistics.readsThrough = readsThrough.load(ordering: .relaxed)
        statistics.bytes = patterns.bytes
        for box in boxes {
            box.part.withLock { part in
                statistics.hits += part.hits
                statistics.evictions += UInt64(part.shard.evictions)
                statistics.bytes += part.shard.bytes
                statistics.answers += part.shard.count
                statistics.note(part.place)
            }
        }
        return statistics
    }
}
