import EntitlementAPI
import EntitlementDomain
import EventStore
import Synchronization
import X509

/// The API keys in memory, read again every few seconds, so that no call waits for the database to be let in and a
/// revoked key is refused soon everywhere.
final class KeyRing: Sendable {
    private final class Entry: Sendable {
        let record: APIKeyRecord
        let caller: Caller
        let use: KeyUse

        init(record: APIKeyRecord, limiter: CallLimiter?, use: KeyUse) {
            self.record = record
            caller = Caller(
                scopes: Set(record.scopes.compactMap(Scope.init(rawValue:))),
                keyID: record.keyID,
                limiter: limiter
            )
            self.use = use
        }

        /// Whether the key that is presented is this one, and in force.
        func admits(_ key: borrowing PresentedKey, at instant: Instant) -> Bool {
            ConstantTime.isEqual(record.digest, key.digest.bytes) && record.isValid(at: instant)
        }
    }

    /// When a key was last used here, in milliseconds since 1970; kept apart, so that a request only stores a number.
    private final class KeyUse: Sendable {
        let milliseconds = Atomic<Int64>(.min)
    }

    /// Between two writes of a key's last use.
    private static let useInterval: Int64 = 60_000

    private let entries = Mutex<[String: Entry]>([:])
    /// When the database was last asked because of an unknown key: strangers must not make it work.
    private let lastLookup = Mutex<ContinuousClock.Instant?>(nil)
    private let store: PostgresEventStore
    private let clock: @Sendable () -> Instant

    init(store: PostgresEventStore, clock: @escaping @Sendable () -> Instant) {
        self.store = store
        self.clock = clock
    }

    /// Reads the keys from the database.
    func refresh() async throws(StoreError) {
        let records = try await store.keys()
        entries.withLock { entries in
            let old = entries
            entries = Dictionary(
                records.map { ($0.keyID, entry($0, old[$0.keyID])) },
                uniquingKeysWith: { first, _ in first }
            )
        }
    }

    /// What was used up of a rate, and the last use, outlive the reading.
    private func entry(_ record: APIKeyRecord, _ old: Entry?) -> Entry {
        var limiter: CallLimiter?
        if let rate = record.callsPerSecond {
            limiter = old?.caller.limiter.flatMap { $0.callsPerSecond == rate ? $0 : nil }
            limiter = limiter ?? CallLimiter(callsPerSecond: rate, clock: clock)
        }
        return Entry(record: record, limiter: limiter, use: old?.use ?? KeyUse())
    }

    /// Reads the keys because a request came with one that is not known here; at most five times a second.
    func refreshForUnknownKey() async throws(StoreError) {
        let isDue = lastLookup.withLock { last in
            let now = ContinuousClock.now
            if let last, last.duration(to: now) < .milliseconds(200) { return false }
            last = now
            return true
        }
        if isDue { try await refresh() }
    }

    /// Writes when keys were last used, for those whose last written use is a minute old. Never on the way of a call.
    func writeUses() async throws(StoreError) {
        let uses = entries.withLock { entries in
            entries.values.compactMap { entry -> (keyID: String, at: Instant)? in
                let used = entry.use.milliseconds.load(ordering: .relaxed)
                let written = entry.record.lastUsedAt?.milliseconds ?? .min
                guard used > written, written == .min || used - written >= Self.useInterval else { return nil }
                return (entry.record.keyID, Instant(milliseconds: used))
            }
        }
        if !uses.isEmpty { try await store.recordKeyUses(uses) }
    }

    /// The caller behind an `Authorization` header; nil when its key is not known here yet and the database must be
    /// asked.
    func caller(authorization header: String?) -> Caller? {
        guard let header, let key = PresentedKey(authorization: header) else { return .unknown }
        guard let entry = entries.withLock({ $0[key.keyID] }) else { return nil }
        let now = clock()
        guard entry.admits(key, at: now) else { return .unknown }
        entry.use.milliseconds.store(now.milliseconds, ordering: .relaxed)
        return entry.caller
    }
}
