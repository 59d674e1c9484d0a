import EntitlementDomain

/// A line folded from all of its events, with what else follows from them: the rows of the projections about it.
struct FoldedLine: Sendable {
    private(set) var state: LineState
    /// Position of the last event that concerned the line.
    private(set) var position: Int64 = 0
    private(set) var owner: AccountID?
    /// The accounts that the line was taken from, in the order of the log; its owner may be one of them.
    private(set) var formerOwners: [AccountID] = []

    init(_ id: LineID) {
        state = LineState(id: id)
    }

    /// Applies the next event; events must come in log order.
    mutating func apply(_ event: EventRecord) {
        position = event.position
        guard state.apply(event) else { return }
        let before = owner
        owner = state.owner
        if let before, before != owner, !formerOwners.contains(before) { formerOwners.append(before) }
    }

    /// Every account that has ever owned the line, each once.
    var owners: [AccountID] { formerOwners + [owner].compactMap(\.self).filter { !formerOwners.contains($0) } }
}
