import EntitlementDomain
import EventStore
import JSON
import Synchronization

/// The request that a task works for: its id, and what the log's line about it will say.
final class RequestTrace: Sendable {
    /// The request of this task; nil in the background.
    @TaskLocal static var current: RequestTrace?

    private struct State {
        var events: [(position: LogPosition, event: AppendOutcome.Event)] = []
        var eventCount = 0
        var problem: String?
    }

    /// A line is no place for the thousand purchases of one receipt.
    private static let maximumEvents = 16

    let id: String
    private let state = Mutex(State())

    init(id: String) {
        self.id = id
    }

    /// Notes the events of an append.
    func note(_ outcome: AppendOutcome) {
        state.withLock { state in
            state.eventCount += outcome.events.count
            for event in outcome.events where state.events.count < Self.maximumEvents {
                state.events.append((LogPosition(epoch: outcome.head.epoch, number: event.position), event))
            }
        }
    }

    /// Notes what went wrong, in words that are for operators and not for callers.
    func note(problem: String) {
        state.withLock { $0.problem = problem }
    }

    /// What a line says of the request. What was noted is gone then: the next call of a batch has a line of its own.
    func takeFields() -> ServiceLog.Fields {
        let state = state.withLock { state in
            defer { state = State() }
            return state
        }
        var fields: ServiceLog.Fields = [("requestId", .string(id))]
        if !state.events.isEmpty {
            let events = state.events.map { position, event -> JSONValue in
                [
                    "position": .string(position.description), "eventId": .string(event.id.description),
                    "type": .string(event.type.rawValue),
                ]
            }
            fields.append(("events", .array(events)))
        }
        if state.eventCount > state.events.count {
            fields.append(("eventCount", .number(JSONNumber(Int64(state.eventCount)))))
        }
        if let problem = state.problem { fields.append(("problem", .string(problem))) }
        return fields
    }
}
