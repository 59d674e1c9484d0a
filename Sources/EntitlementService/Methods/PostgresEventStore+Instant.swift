import EntitlementAPI
import EntitlementDomain
import EventStore

extension PostgresEventStore {
    /// The facts of whatever a key names, as far back as an answer for an instant needs them.
    ///
    /// - Parameters:
    ///   - instant: nil: now.
    ///   - clock: is read after the facts, so that what they tell has happened by then.
    /// - Returns: the facts, and the instant.
    func snapshot(
        of key: KeyParameters,
        at instant: Instant?,
        _ clock: () -> Instant
    ) async throws(StoreError) -> (snapshot: Snapshot, instant: Instant) {
        let snapshot = try await snapshot(of: key)
        let instant = instant ?? clock()
        if snapshot.account.answersFrom <= instant { return (snapshot, instant) }
        return (try await self.snapshot(of: key, reach: .whole), instant)
    }
}
