package import EntitlementDomain

/// What became of one append request, once it is durable.
package struct AppendOutcome: Sendable, Hashable {
    /// An event that the request brought.
    package struct Event: Sendable, Hashable {
        package var position: Int64
        package var type: EventType

        package init(position: Int64, type: EventType) {
            self.position = position
            self.type = type
        }
    }

    /// The events it brought; empty: the statement was known and had its effect before.
    package var events: [Event] = []
    /// Whether another account owns the line and keeps it. Nothing was appended then.
    package var isOwnershipConflict = false
    /// The owner of the statement's line now.
    package var owner: AccountID?
    /// The log's head after the group.
    package var head = LogPosition(epoch: 0, number: 0)

    package init() {}

    /// Whether the request changed nothing because the log had it already.
    package var isDuplicate: Bool { events.isEmpty && !isOwnershipConflict }
}
