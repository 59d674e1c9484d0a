import Synchronization
import X509

/// Remembers header segments whose certificates were verified, the most recently used ones, for a limited time.
///
/// Only headers of statements that were accepted as a whole come in, so nobody can fill it with forgeries, nor push
/// genuine chains out by sending variations of them.
final class VerifiedChainCache: Sendable {
    private struct Entry {
        let header: TrustedHeader
        /// Milliseconds since 1970.
        let storedAt: Int64
    }

    private let capacity: Int
    private let lifetimeMilliseconds: Int64
    /// The most recently used first.
    private let entries = Mutex<[Entry]>([])

    /// A cache for `capacity` headers, each kept for `lifetime`.
    init(capacity: Int, lifetime: Duration) {
        self.capacity = max(capacity, 0)
        lifetimeMilliseconds =
            lifetime.components.seconds * 1_000 + lifetime.components.attoseconds / 1_000_000_000_000_000
    }

    /// The number of headers kept, those past their time included until they are next looked for.
    var count: Int { entries.withLock { $0.count } }

    /// What is remembered for exactly this text at `now`, in milliseconds since 1970.
    func header(for segment: Span<UInt8>, now: Int64) -> TrustedHeader? {
        // Compared outside the lock, as every statement comes through here. At most some tens of entries, most of which
        // differ in length or in an early byte.
        let known = entries.withLock { $0 }
        guard let index = known.firstIndex(where: { $0.header.isMade(of: segment) }) else { return nil }
        let entry = known[index]
        let isFresh = isFresh(entry, now)
        if index > 0 || !isFresh {
            entries.withLock { entries in
                guard let index = entries.firstIndex(where: { $0.header === entry.header }) else { return }
                entries.remove(at: index)
                if isFresh { entries.insert(entry, at: 0) }
            }
        }
        return isFresh ? entry.header : nil
    }

    /// Keeps `header` from `now` on, in milliseconds since 1970; the least recently used one goes when there is no room.
    func insert(_ header: TrustedHeader, now: Int64) {
        guard capacity > 0 else { return }
        entries.withLock { entries in
            entries.removeAll { !isFresh($0, now) || $0.header.segment == header.segment }
            if entries.count >= capacity { entries.removeLast(entries.count - capacity + 1) }
            entries.insert(Entry(header: header, storedAt: now), at: 0)
        }
    }

    /// A clock set back makes an entry stale as well: its age is not known any more.
    private func isFresh(_ entry: Entry, _ now: Int64) -> Bool {
        let (age, overflow) = now.subtractingReportingOverflow(entry.storedAt)
        return !overflow && (0..<lifetimeMilliseconds).contains(age)
    }
}
