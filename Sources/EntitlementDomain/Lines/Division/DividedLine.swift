/// A line of purchases in two parts: a head of bounded length, from which the questions of today are answered and to which
/// new facts are added, and the earlier transactions, which are needed for questions about the past, for lists, and when
/// facts turn up that are dated behind the cut.
package struct DividedLine: Sendable, Hashable {
    /// The whole line when it is a short one.
    package var head: LineState
    /// Those that went behind the cut now; of a whole line all, in no particular order.
    package var earlier: [EarlierTransaction]

    package init(head: LineState, earlier: [EarlierTransaction] = []) {
        self.head = head
        self.earlier = earlier
    }
}

extension LineState {
    /// How many subscription periods, the latest ones, stay in the head at least.
    ///
    /// The current period, and the one before it: a renewal may be dated ahead of its signature, and most refunds are of
    /// one of the two. With each one more every look-up would read and decode more for the sake of rare ones.
    package static let recentPeriods = 2

    /// Divides a whole line: a pure function of the facts.
    ///
    /// - Parameter recent: the least number of periods in the head.
    package func divided(keeping recent: Int = recentPeriods) -> DividedLine {
        guard transactions.count > recent, let division = LineDivision(of: self, keeping: recent) else {
            return DividedLine(head: self)
        }
        return division.result
    }

    /// Divides the head of a line again after facts were added to it, with the same result as for the whole line.
    ///
    /// - Parameters:
    ///   - before: the head before that, as `divided` made it; a whole line is divided as such.
    ///   - recent: the least number of periods in the head, as it was then.
    /// - Returns: the new head, and what goes behind the cut now; nil when the facts reach behind the cut, and so the
    ///   whole line must be read.
    package func divided(after before: LineState, keeping recent: Int = recentPeriods) -> DividedLine? {
        guard let cut else { return divided(keeping: recent) }
        return LineDivision(of: self, after: before, at: cut, keeping: recent)?.result
    }

    /// Whether facts may concern what lies behind the cut of this head: the whole line must be read before they are
    /// added. It must be read as well when a transaction behind the cut has the id or the `webOrderLineItemId` of theirs.
    package func reachesBehindCut(_ facts: StatementFacts) -> Bool {
        guard let cut else { return false }
        if let transaction = facts.transaction {
            if transaction.type != .autoRenewable || transaction.purchasedAt <= cut.settledUntil { return true }
        }
        return facts.renewal.map { $0.signedAt <= cut.settledUntil } ?? false
    }

    /// Puts a line together again.
    ///
    /// - Parameter earlier: all transactions behind the head's cut, in any order.
    package init(head: LineState, earlier: [EarlierTransaction]) {
        self.init(
            id: head.id,
            transactions: (head.transactions + earlier.map(\.state)).sorted {
                ($0.newest.purchasedAt, $0.transactionID) < ($1.newest.purchasedAt, $1.transactionID)
            },
            renewals: (head.renewals + earlier.flatMap(\.renewals)).sorted { left, right in
                if left.signedAt != right.signedAt { return left.signedAt < right.signedAt }
                return left != right && Self.precedes(left, right)
            },
            link: head.link,
            holds: head.holds
        )
    }

    /// This line with other transactions and statements.
    func head(transactions: [TransactionState], renewals: [RenewalFacts], cut: LineCut) -> LineState {
        LineState(id: id, transactions: transactions, renewals: renewals, cut: cut, link: link, holds: holds)
    }
}
