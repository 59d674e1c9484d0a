import EntitlementDomain

/// A line folded from all of its events, with what else follows from them: the rows of the projections about it.
struct FoldedLine: Sendable {
    private(set) var state: LineState
    /// Position of the last event that concerned the line.
    private(set) var position: Int64 = 0
    private(set) var owner: AccountID?
    /// Every account that ever owned the line, in the order of the log.
    private(set) var owners: [AccountID] = []
    /// The accounts whose holdings the line changed, each with the position of the last event that did.
    private(set) var touched: [(account: AccountID, position: Int64)] = []

    init(_ id: LineID) {
        state = LineState(id: id)
    }

    /// Applies the next event; events must come in log order.
    mutating func apply(_ event: EventRecord) {
        position = event.position
        guard state.apply(event) else { return }
        let before = owner
        owner = state.owner
        if let owner, owner != before, !owners.contains(owner) { owners.append(owner) }
        if let before { touch(before) }
        if let owner, owner != before { touch(owner) }
    }

    private mutating func touch(_ account: AccountID) {
        if let index = touched.firstIndex(where: { $0.account == account }) {
            touched[index].position = position
        } else {
            touched.append((account, position))
        }
    }
}
