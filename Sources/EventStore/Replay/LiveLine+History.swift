import EntitlementDomain

extension LiveLine {
    /// The line as its rows say; nil: there is none, or it cannot be read.
    func state(_ id: LineID) -> LineState? {
        guard let row, let head = try? LineState(id: id, encoded: row.state) else { return nil }
        return try? LineHistory.whole(head, history.values.map(\.state))
    }

    /// Where the rows of `line_history` differ from those that follow from the log.
    func historyDifferences(
        _ id: LineID,
        from earlier: [EarlierTransaction],
        owner: AccountID?
    ) -> [ProjectionDifference] {
        var expected: [String: EarlierRow] = [:]
        for transaction in earlier {
            expected[transaction.state.transactionID] = EarlierRow(
                lineItem: transaction.state.newest.webOrderLineItemID,
                state: transaction.encoded
            )
        }
        if history == expected { return [] }
        return Set(history.keys).union(expected.keys).sorted().compactMap { transactionID in
            let (live, replayed) = (history[transactionID], expected[transactionID])
            if live == replayed { return nil }
            func text(_ row: EarlierRow) -> String { "transaction \(transactionID), \(row.state.count) bytes" }
            return ProjectionDifference(.lineHistory, line: id, account: owner, field: "row").with(
                live: live.map { text($0) + (replayed == nil ? "" : " of other facts") },
                replayed: replayed.map(text)
            )
        }
    }
}
