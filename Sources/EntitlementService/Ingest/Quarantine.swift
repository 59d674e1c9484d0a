import AppStore
import EntitlementDomain
import EventStore

/// Tries the parked notifications again: what verifies now is appended and leaves the quarantine.
struct Quarantine: Sendable {
    let reader: StatementReader
    let store: PostgresEventStore
    let metrics: ServiceMetrics
    let log: ServiceLog
    let clock: @Sendable () -> Instant

    /// Goes through all that is parked once.
    func retry() async throws(StoreError) {
        for parked in try await store.parked() {
            let isSettled: Bool
            do {
                let statement = try reader.readNotification(signedPayload: parked, now: clock())
                let outcome = try await store.append(.statement(StatementRecord(statement), claim: nil))
                metrics.count(outcome)
                log.note(
                    .info,
                    "notification left the quarantine",
                    [("outcome", "appended")]
                        + outcome.events.map {
                            ("position", LogPosition(epoch: outcome.head.epoch, number: $0.position).description)
                        }
                )
                isSettled = true
            } catch let error as StatementError {
                // What turns out to be a forgery leaves as well.
                isSettled = !error.isTemporary
                if isSettled {
                    metrics.ingest.countFailure("quarantine", reason: error.reason.rawValue)
                    log.note(
                        .warning,
                        "notification left the quarantine",
                        [("outcome", error.reason.rawValue), ("reason", error.message)]
                    )
                }
            } catch let error as StoreError {
                throw error
            } catch {
                isSettled = false
            }
            if isSettled { try await store.unpark(parked) }
        }
    }
}
