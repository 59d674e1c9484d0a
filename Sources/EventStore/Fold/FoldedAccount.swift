import EntitlementDomain

/// An account folded from all events about it: its row in projection `accounts`, which one that only owns lines has not.
struct FoldedAccount: Sendable {
    /// Position of the last event about the account itself.
    private(set) var position: Int64 = 0
    /// Nil when no command was ever about it.
    private(set) var state: AccountState?

    init() {}

    /// Applies the next event about the account itself; events must come in log order.
    mutating func apply(_ event: EventRecord, _ command: CommandFacts) {
        var state = state ?? AccountState()
        state.apply(event.type, command, at: event.recordedAt, position: event.position)
        self.state = state
        position = event.position
    }
}
