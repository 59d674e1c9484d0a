import AppStore
import EntitlementDomain
import EventStore

/// Tries the parked notifications again: what verifies now is appended and leaves the quarantine.
struct Quarantine: Sendable {
    let reader: StatementReader
    let store: PostgresEventStore
    let clock: @Sendable () -> Instant

    /// Goes through all that is parked once.
    func retry() async throws(StoreError) {
        for parked in try await store.parked() {
            let isSettled: Bool
            do {
                let statement = try reader.readNotification(signedPayload: parked, now: clock())
                _ = try await store.append(.statement(StatementRecord(statement), claim: nil))
                isSettled = true
            } catch let error as StatementError {
                // What turns out to be a forgery leaves as well.
                isSettled = !error.isTemporary
            } catch let error as StoreError {
                throw error
            } catch {
                isSettled = false
            }
            if isSettled { try await store.unpark(parked) }
        }
    }
}
