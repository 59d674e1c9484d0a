/// A line of purchases folded from the set of its facts: all of it, or the head of a long line (`divided`).
package struct LineState: Sendable, Hashable {
    package let id: LineID
    /// One state for each transaction id, sorted by purchase date, then by id.
    package private(set) var transactions: [TransactionState] = []
    /// Every distinct statement about the line's renewal, sorted by signature date.
    package private(set) var renewals: [RenewalFacts] = []
    /// Where the line was divided, when this is its head; nil: this is the whole line.
    package private(set) var cut: LineCut?
    /// The latest explicit statement of the owner.
    package private(set) var link: OwnerLink?
    /// Suspensions of the line.
    package private(set) var holds: [Hold] = []

    package init(id: LineID) {
        self.id = id
    }

    init(
        id: LineID,
        transactions: [TransactionState],
        renewals: [RenewalFacts],
        cut: LineCut? = nil,
        link: OwnerLink?,
        holds: [Hold]
    ) {
        self.id = id
        self.transactions = transactions
        self.renewals = renewals
        self.cut = cut
        self.link = link
        self.holds = holds
    }

    package var isEmpty: Bool { transactions.isEmpty && renewals.isEmpty && link == nil && holds.isEmpty }

    /// Whether no signed transaction of the line is known, only receipts that tell of some.
    package var isKnownFromReceiptsOnly: Bool {
        !transactions.isEmpty && renewals.isEmpty && transactions.allSatisfy(\.newest.isFromReceipt)
    }

    /// The state of one transaction id.
    package subscript(transactionID id: String) -> TransactionState? {
        transactions.first { $0.transactionID == id }
    }

    /// The owner: the latest explicit link or transfer; otherwise the account token of the earliest purchase that
    /// carries one. A token that turns up on a later purchase moves nothing. Nil: nobody yet, or an account that was erased.
    package var owner: AccountID? {
        let account = link.map(\.account) ?? namedOwner
        return account == .erased ? nil : account
    }

    /// Whether the line belongs to an account that was erased: it gives access to nobody until it is transferred.
    package var isErased: Bool {
        if let link { return link.account == nil }
        return namedOwner == .erased
    }

    /// The account token of the earliest purchase that carries one.
    private var namedOwner: AccountID? {
        Self.firstOwned(transactions[...])?.token?.account
    }

    /// The earliest purchase that carries an account token; nil: none does.
    static func firstOwned(_ transactions: ArraySlice<TransactionState>) -> TransactionState? {
        transactions.lazy.filter { $0.token != nil }
            .min { left, right in
                guard let first = left.token, let second = right.token else { return false }
                return (left.newest.purchasedAt, first.signedAt, first.account)
                    < (right.newest.purchasedAt, second.signedAt, second.account)
            }
    }

    /// Adds the facts of one statement.
    ///
    /// - Parameter announces: whether the event that carries them tells of the transaction.
    /// - Returns: whether the state is another one now.
    @discardableResult
    package mutating func apply(_ facts: StatementFacts, announces: Bool) -> Bool {
        var isChanged = false
        if let version = facts.transaction {
            var state = TransactionState(version, isAnnounced: announces)
            if let index = transactions.firstIndex(where: { $0.transactionID == version.transactionID }) {
                state.merge(transactions[index])
                if state != transactions[index] {
                    transactions.remove(at: index)
                    transactions.insert(state, at: position(of: state))
                    isChanged = true
                }
            } else {
                transactions.insert(state, at: position(of: state))
                isChanged = true
            }
        }
        if let renewal = facts.renewal, insert(renewal) { isChanged = true }
        return isChanged
    }

    /// Sets the owner by an explicit event; the latest position counts.
    ///
    /// - Returns: whether the state is another one now.
    @discardableResult
    package mutating func apply(_ candidate: OwnerLink) -> Bool {
        if let known = link, known.position >= candidate.position { return false }
        link = candidate
        return true
    }

    /// Places or lifts a hold on the line; events must come in log order.
    ///
    /// - Returns: whether the state is another one now.
    @discardableResult
    package mutating func apply(hold type: EventType, _ facts: CommandFacts, at recordedAt: Instant) -> Bool {
        guard let id = facts.id else { return false }
        let before = holds
        switch type {
        case .holdPlaced: holds.append(Hold(id: id, entitlement: facts.entitlement, placedAt: recordedAt))
        case .holdLifted: holds.lift(id, at: recordedAt)
        default: break
        }
        return holds != before
    }

    private func position(of state: TransactionState) -> Int {
        let key = (state.newest.purchasedAt, state.transactionID)
        var low = 0
        var high = transactions.count
        while low < high {
            let middle = (low + high) / 2
            if (transactions[middle].newest.purchasedAt, transactions[middle].transactionID) < key {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }

    /// - Returns: false when it was there.
    private mutating func insert(_ renewal: RenewalFacts) -> Bool {
        var low = renewals.count
        while low > 0, renewals[low - 1].signedAt >= renewal.signedAt {
            if renewals[low - 1] == renewal { return false }
            if renewals[low - 1].signedAt == renewal.signedAt, Self.precedes(renewals[low - 1], renewal) { break }
            low -= 1
        }
        renewals.insert(renewal, at: low)
        return true
    }

    /// The order of two different statements signed at the same millisecond: any fixed order will do.
    static func precedes(_ left: RenewalFacts, _ right: RenewalFacts) -> Bool {
        var bytes = (ByteEncoder(), ByteEncoder())
        bytes.0.encode(left)
        bytes.1.encode(right)
        return bytes.0.bytes.lexicographicallyPrecedes(bytes.1.bytes)
    }
}
