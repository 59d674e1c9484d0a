import EntitlementDomain
import EventStore
import JSON

/// What the cache knows of many accounts, all of it right at one place in the feed.
struct KnownAnswers {
    /// The entries of `entitlements.getMany` as they go out.
    private(set) var entries: [AccountID: [UInt8]] = [:]
    /// The accounts whose answers have to be read.
    private(set) var missing: Set<AccountID> = []
    /// The place that all entries are right at; nil without entries.
    private(set) var place: FeedPosition?
    private(set) var basis: FollowedPage.Basis?

    private static let names = JSONKeyTable(["position", "environment", "at"])

    init(_ accounts: Set<AccountID>, in environment: StoreEnvironment, at now: Instant, _ cache: AnswerCache) {
        let time = ContinuousClock.now
        var readAt: [AccountID: LogPosition] = [:]
        var bytes: [UInt8] = []
        for account in accounts {
            bytes.removeAll(keepingCapacity: true)
            guard let key = AnswerKey(account, in: environment),
                let hit = cache.write(key, at: now, time, to: &bytes),
                basis == nil || basis == hit.basis, place == nil || place?.log.epoch == hit.confirmedTo.log.epoch,
                let entry = Self.entry(bytes)
            else {
                missing.insert(account)
                continue
            }
            entries[account] = entry
            readAt[account] = hit.readAt
            basis = hit.basis
            // The parts of the cache hear of news one after the other.
            place = min(place ?? hit.confirmedTo, hit.confirmedTo)
        }
        guard let place else { return }
        for (account, position) in readAt where position.number > place.log.number {
            entries[account] = nil
            missing.insert(account)
        }
    }

    /// Nothing is known.
    init(missing: Set<AccountID>) {
        self.missing = missing
    }

    /// Whether what is known is right at a position that must be reached; without anything known, only when none must.
    func hasReached(_ minimum: LogPosition?) -> Bool {
        guard let minimum else { return true }
        guard let place else { return false }
        return place.log.epoch == minimum.epoch && place.log.number >= minimum.number
    }

    /// An entry of `entitlements.getMany`: the result of `entitlements.get` without what is said once for all.
    static func entry(_ result: [UInt8]) -> [UInt8]? {
        guard var scanner = try? JSONScanner(result) else { return nil }
        var entry: [UInt8] = []
        entry.reserveCapacity(result.count)
        while let member = try? scanner.next() {
            if names.index(of: member.key, in: scanner) != nil { continue }
            entry.append(entry.isEmpty ? UInt8(ascii: "{") : UInt8(ascii: ","))
            entry.append(contentsOf: result[member.key.range.lowerBound - 1..<member.value.range.upperBound])
        }
        entry.append(UInt8(ascii: "}"))
        return entry
    }

    /// Adds what was read.
    mutating func add(_ entry: [UInt8], for account: AccountID) {
        entries[account] = entry
    }

    /// The result of `entitlements.getMany`.
    func json(
        _ accounts: [AccountID],
        in environment: StoreEnvironment,
        at now: Instant,
        _ position: LogPosition
    ) -> [UInt8] {
        var writer = JSONWriter(capacity: 128 + accounts.count * 1_024)
        writer.beginObject()
        writer.member("position", position.description)
        writer.member("environment", environment.rawValue)
        writer.member("at", now.iso8601)
        writer.key("results")
        writer.beginArray()
        for account in accounts {
            if let entry = entries[account] { writer.raw(entry) }
        }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }
}
