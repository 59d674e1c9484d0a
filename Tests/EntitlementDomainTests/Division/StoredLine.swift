import EntitlementDomain

/// A line as a store keeps it: a head, and the earlier transactions by id.
struct StoredLine {
    var head: LineState
    var earlier: [String: [UInt8]] = [:]
    /// How many statements were added without the earlier transactions, of those added to a line that has some.
    var quick = 0
    var slow = 0

    let recent: Int

    init(_ id: LineID, keeping recent: Int) {
        head = LineState(id: id)
        self.recent = recent
    }

    /// The whole line, put together again.
    func whole() throws -> LineState {
        LineState(head: head, earlier: try earlier.values.map { try EarlierTransaction(encoded: $0) })
    }

    /// Adds a statement as the append path does.
    ///
    /// - Returns: the label of its event.
    mutating func add(_ facts: StatementFacts, catalog: Catalog) throws -> EventType {
        let before = head
        if before.cut != nil, !before.reachesBehindCut(facts), try !hasEarlier(facts.transaction) {
            let type = before.eventType(for: facts, catalog: catalog)
            var after = before
            after.apply(facts, announces: type.announces(facts.transaction, isNamed: facts.namedType != nil))
            if let divided = after.divided(after: before, keeping: recent) {
                for transaction in divided.earlier { earlier[transaction.state.transactionID] = transaction.encoded }
                head = divided.head
                quick += 1
                return type
            }
        }
        if before.cut != nil { slow += 1 }
        var line = try whole()
        let type = line.eventType(for: facts, catalog: catalog)
        line.apply(facts, announces: type.announces(facts.transaction, isNamed: facts.namedType != nil))
        let divided = line.divided(keeping: recent)
        head = divided.head
        earlier = StoredLine.rows(divided)
        return type
    }

    private func hasEarlier(_ facts: TransactionFacts?) throws -> Bool {
        guard let facts else { return false }
        if earlier[facts.transactionID] != nil { return true }
        guard let item = facts.webOrderLineItemID else { return false }
        return try earlier.values.contains {
            try EarlierTransaction(encoded: $0).state.newest.webOrderLineItemID == item
        }
    }

    static func rows(_ divided: DividedLine) -> [String: [UInt8]] {
        Dictionary(uniqueKeysWithValues: divided.earlier.map { ($0.state.transactionID, $0.encoded) })
    }
}
