import AppStore
import EntitlementDomain
import EventStore
import JSON

/// Takes App Store Server Notifications V2: verifies on the caller's task, appends, and says "received" only when the
/// event is durable.
struct NotificationReceiver: Sendable {
    let reader: StatementReader
    let store: PostgresEventStore
    let metrics: ServiceMetrics
    var consumption: ConsumptionResponder?
    let clock: @Sendable () -> Instant

    /// Takes one delivery.
    ///
    /// - Parameter body: `{"signedPayload": "…"}`; other members are ignored.
    func receive(_ body: [UInt8]) async -> NotificationOutcome {
        let outcome = await outcome(of: body)
        metrics.countNotification(outcome.label)
        return outcome
    }

    private func outcome(of body: [UInt8]) async -> NotificationOutcome {
        let value: JSONValue
        do {
            value = try JSONParser.parse(body)
        } catch {
            return .refused(reason: "malformedStatement", message: "The body is not JSON: \(error).")
        }
        guard let signedPayload = value["signedPayload"]?.stringValue else {
            return .refused(
                reason: "malformedStatement",
                message: "The body must be an object with the text member signedPayload."
            )
        }
        do {
            let statement = try reader.readNotification(signedPayload: signedPayload, now: clock())
            return await append(statement)
        } catch {
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
            return .unavailable(
                message: "The notification could be neither verified nor kept right now; send it again."
            )
        }
    }
}
