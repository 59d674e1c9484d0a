/// Everything that decides what one key (an account, or a line nobody owns yet) is entitled to.
package struct Account: Sendable, Hashable {
    /// The lines it owns, sorted by id.
    package var lines: [LineState]
    /// Its grants, holds and spends.
    package var state: AccountState

    package init(lines: [LineState], state: AccountState = AccountState()) {
        self.lines = Self.withoutShadows(lines).sorted { $0.id < $1.id }
        self.state = state
    }

    /// The first instant that these facts answer for as the whole lines would; `distantPast` when they are whole.
    package var answersFrom: Instant {
        lines.reduce(.distantPast) { max($0, $1.cut?.answersFrom ?? .distantPast) }
    }

    /// Leaves out the lines of which receipts alone tell where the same purchases are known as a family member's share: a
    /// receipt of the app does not say how a purchase is held, and its share may have ended since.
    private static func withoutShadows(_ lines: [LineState]) -> [LineState] {
        guard lines.contains(where: \.isKnownFromReceiptsOnly) else { return lines }
        return lines.filter { line in
            guard line.isKnownFromReceiptsOnly, line.id.ownership == .purchased else { return true }
            var shared = line.id
            shared.ownership = .familyShared
            return !lines.contains { $0.id == shared && !$0.transactions.isEmpty }
        }
    }
}
