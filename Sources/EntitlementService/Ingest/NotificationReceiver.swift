import AppStore
import EntitlementDomain
import EventStore
import JSON

/// Takes App Store Server Notifications V2: verifies on the caller's task, appends, and says "received" only when the
/// event is durable.
final class NotificationReceiver: Sendable {
    private let reader: StatementReader
    private let store: PostgresEventStore
    private let metrics: ServiceMetrics
    private let watch: NotificationWatch
    private let log: NotificationLog
    private let consumption: ConsumptionResponder?
    private let clock: @Sendable () -> Instant

    init(
        reader: StatementReader,
        store: PostgresEventStore,
        metrics: ServiceMetrics,
        watch: NotificationWatch,
        log: NotificationLog,
        consumption: ConsumptionResponder?,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.reader = reader
        self.store = store
        self.metrics = metrics
        self.watch = watch
        self.log = log
        self.consumption = consumption
        self.clock = clock
    }

    /// Takes one delivery.
    ///
    /// - Parameter body: `{"signedPayload": "…"}`; other members are ignored.
    func receive(_ body: [UInt8]) async -> NotificationOutcome {
        let arrived = ContinuousClock.now
        var statement: Statement?
        let outcome = await outcome(of: body, &statement)
        let duration = ContinuousClock.now - arrived
        metrics.ingest.countNotification(outcome.label)
        if let statement, outcome.status == 200 {
            let now = clock()
            watch.note(bundleID: statement.bundleID, environment: statement.environment, at: now)
            if outcome == .appended {
                let delay = now.milliseconds - statement.signedAt.milliseconds
                metrics.ingest.observe(sinceArrival: duration, sinceSigning: .milliseconds(max(0, delay)))
            }
        }
        log.write(outcome, statement, duration: duration)
        return outcome
    }

    private func outcome(of body: [UInt8], _ verified: inout Statement?) async -> NotificationOutcome {
        let value: JSONValue
        do {
            value = try JSONParser.parse(body)
        } catch {
            metrics.ingest.countFailure("notification", reason: "malformedStatement")
            return .refused(reason: "malformedStatement", message: "The body is not JSON: \(error).")
        }
        guard let signedPayload = value["signedPayload"]?.stringValue else {
            metrics.ingest.countFailure("notification", reason: "malformedStatement")
            return .refused(
                reason: "malformedStatement",
                message: "The body must be an object with the text member signedPayload."
            )
        }
        do {
            let statement = try reader.readNotification(signedPayload: signedPayload, now: clock())
            verified = statement
            return await append(statement)
        } catch {
            metrics.ingest.countFailure("notification", reason: error.reason.rawValue)
            return await refusal(error, signedPayload: signedPayload)
        }
    }

    private func append(_ statement: Statement) async -> NotificationOutcome {
        do {
            let outcome = try await store.append(.statement(StatementRecord(statement), claim: nil))
            metrics.count(outcome)
            if !outcome.isDuplicate { consumption?.respond(to: statement) }
            return outcome.isDuplicate ? .duplicate : .appended
        } catch {
            RequestTrace.current?.note(problem: error.description)
            return error.isTemporary
                ? .unavailable(message: "The event could not be stored right now; send it again.") : .failed
        }
    }

    private func refusal(_ error: StatementError, signedPayload: String) async -> NotificationOutcome {
        guard error.isTemporary else { return .refused(reason: error.reason.rawValue, message: error.message) }
        do {
            try await store.park(signedPayload, reason: error.reason.rawValue, at: clock())
            return .parked(message: error.message)
        } catch {
            RequestTrace.current?.note(problem: error.description)
            return .unavailable(
                message: "The notification could be neither verified nor kept right now; send it again."
            )
        }
    }
}
