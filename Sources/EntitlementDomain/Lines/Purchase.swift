/// One purchase of a line: a subscription period, a pass, a lifetime purchase or a pack of consumables, however many
/// transaction ids devices and restores gave it.
package struct Purchase: Sendable, Hashable {
    /// The merged versions of all its transaction ids.
    package var state: TransactionState
    /// All its transaction ids, sorted.
    package var transactionIDs: [String]

    package var newest: TransactionFacts { state.newest }
    package var purchasedAt: Instant { state.newest.purchasedAt }
    package var startsAt: Instant { state.startsAt }
    package var revokedAt: Instant? { state.revokedAt }
}

extension LineState {
    /// The line's purchases in order of purchase, twins reduced to one.
    ///
    /// Two transaction ids are one purchase when they have the same `webOrderLineItemId`; where one of them has
    /// none, when they were bought at the same instant and end at the same instant.
    package var purchases: [Purchase] {
        if hasNoTwins { return transactions.map { Purchase(state: $0, transactionIDs: [$0.transactionID]) } }
        var purchases: [Purchase] = []
        purchases.reserveCapacity(transactions.count)
        // Twins share a line item or a purchase date, so only those need comparing.
        var byLineItem: [String: [Int]] = [:]
        var byDate: [Instant: [Int]] = [:]
        for state in transactions {
            var merged = Purchase(state: state, transactionIDs: [state.transactionID])
            let lineItem = state.newest.webOrderLineItemID
            let candidates = (lineItem.flatMap { byLineItem[$0] } ?? []) + (byDate[state.newest.purchasedAt] ?? [])
            var home: Int?
            for index in Set(candidates).sorted() where !purchases[index].transactionIDs.isEmpty {
                guard Self.areTwins(purchases[index].state.newest, state.newest) else { continue }
                merged.state.merge(purchases[index].state)
                merged.transactionIDs += purchases[index].transactionIDs
                // A purchase that another one has taken in is left empty, so that indices stay true.
                purchases[index].transactionIDs = []
                home = index
            }
            merged.transactionIDs.sort()
            let index = home ?? purchases.count
            if home == nil { purchases.append(merged) } else { purchases[index] = merged }
            if let lineItem { byLineItem[lineItem, default: []].append(index) }
            byDate[state.newest.purchasedAt, default: []].append(index)
            byDate[merged.purchasedAt, default: []].append(index)
        }
        purchases.removeAll { $0.transactionIDs.isEmpty }
        return purchases.sorted { left, right in
            (
                left.purchasedAt, left.newest.isUpgraded ? 0 : 1, left.newest.expiresAt ?? .distantFuture,
                left.transactionIDs[0]
            )
                < (
                    right.purchasedAt, right.newest.isUpgraded ? 0 : 1, right.newest.expiresAt ?? .distantFuture,
                    right.transactionIDs[0]
                )
        }
    }

    /// Whether any transaction is of a type: when none is, no purchase is.
    func has(_ type: ProductType, by catalog: Catalog) -> Bool {
        transactions.contains { catalog.type(of: $0.newest) == type }
    }

    /// Whether it is plain that no two transactions are one purchase: no line item and no purchase date comes twice. So it
    /// is with most lines, whose transactions are in the order of their dates already.
    private var hasNoTwins: Bool {
        if transactions.count > 32 { return false }
        for index in transactions.indices.dropFirst() {
            let newest = transactions[index].newest
            if transactions[index - 1].newest.purchasedAt >= newest.purchasedAt { return false }
            guard let lineItem = newest.webOrderLineItemID else { continue }
            if transactions[..<index].contains(where: { $0.newest.webOrderLineItemID == lineItem }) { return false }
        }
        return true
    }

    static func areTwins(_ left: TransactionFacts, _ right: TransactionFacts) -> Bool {
        if let first = left.webOrderLineItemID, let second = right.webOrderLineItemID { return first == second }
        guard left.purchasedAt == right.purchasedAt else { return false }
        return left.expiresAt == right.expiresAt
    }
}
