import EntitlementAPI
import EntitlementDomain
import EventStore
import Synchronization
import X509

/// The API keys in memory, read again every few seconds, so that no call waits for the database to be let in and a
/// revoked key is refused soon everywhere.
final class KeyRing: Sendable {
    private struct Entry: Sendable {
        var record: APIKeyRecord
        var scopes: Set<Scope>
    }

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
        let fresh = Dictionary(
            records.map { ($0.keyID, Entry(record: $0, scopes: Set($0.scopes.compactMap(Scope.init(rawValue:))))) },
            uniquingKeysWith: { first, _ in first }
        )
        entries.withLock { $0 = fresh }
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

    /// The caller behind an `Authorization` header; nil when its key is not known here yet and the database must be
    /// asked.
    func caller(authorization header: String?) -> Caller? {
        guard let header, let key = Self.key(in: header) else { return .unknown }
        guard let entry = entries.withLock({ $0[key.keyID] }) else { return nil }
        guard ConstantTime.isEqual(entry.record.digest, key.digest), entry.record.isValid(at: clock()) else {
            return .unknown
        }
        return Caller(scopes: entry.scopes)
    }

    /// The key in `Bearer <key>`; the scheme in any case (RFC 9110 section 11.1).
    private static func key(in header: String) -> APIKey? {
        let parts = header.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
        return APIKey(String(parts[1]))
    }
}
