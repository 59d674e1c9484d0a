/// Everything that decides what one key (an account, or a line nobody owns yet) is entitled to.
package struct Account: Sendable, Hashable {
    /// The lines it owns, sorted by id.
    package var lines: [LineState]
    /// Its grants, holds and spends.
    package var state: AccountState

    package init(lines: [LineState], state: AccountState = AccountState()) {
        self.lines = lines.sorted { $0.id < $1.id }
        self.state = state
    }

    /// The first instant that these facts answer for as the whole lines would; `distantPast` when they are whole.
    package var answersFrom: Instant {
        lines.reduce(.distantPast) { max($0, $1.cut?.answersFrom ?? .distantPast) }
    }
}
