/// What a key has bought, newest first, however it stands today.
package struct PurchaseHistory: Sendable, Hashable {
    /// A line with those of its purchases that are listed.
    package struct Line: Sendable, Hashable {
        package var id: LineID
        /// Whether an account owns the line, or one that was erased.
        package var isOwned: Bool
        /// The kind of the newest purchase; nil: neither a statement nor the catalog says.
        package var type: ProductType?
        /// The products of the line, bought ever, that the catalog does not know; sorted.
        package var unmappedProductIDs: [String]
        /// Newest first; empty only for a line of which no transaction is known.
        package var purchases: [Purchase]
    }

    /// The line with the newest purchase first.
    package var lines: [Line]
    /// Whether older purchases were left out.
    package var isShortened: Bool
    /// The instant asked about; nil: all that is recorded.
    package var instant: Instant?

    /// The revocation of a purchase, if it had taken place by the instant asked about.
    package func revokedAt(_ purchase: Purchase) -> Instant? {
        guard let revokedAt = purchase.revokedAt else { return nil }
        return instant.map { revokedAt <= $0 } ?? true ? revokedAt : nil
    }
}

extension Account {
    /// Lists purchases, newest first over all lines.
    ///
    /// - Parameters:
    ///   - instant: only what had been bought by then; nil: all.
    ///   - limit: the most purchases; lines that are not among them are left out.
    package func purchaseHistory(at instant: Instant? = nil, catalog: Catalog, limit: Int) -> PurchaseHistory {
        var entries: [(line: Int, purchase: Purchase)] = []
        if !state.isErased {
            for (index, line) in lines.enumerated() { entries += line.purchases.map { (index, $0) } }
        }
        if let instant { entries.removeAll { $0.purchase.purchasedAt > instant } }
        entries.sort { left, right in
            if left.purchase.purchasedAt != right.purchase.purchasedAt {
                return left.purchase.purchasedAt > right.purchase.purchasedAt
            }
            if left.line != right.line { return lines[left.line].id < lines[right.line].id }
            return left.purchase.transactionIDs[0] > right.purchase.transactionIDs[0]
        }
        var history = PurchaseHistory(lines: [], isShortened: entries.count > limit, instant: instant)
        var places: [Int: Int] = [:]
        for (index, purchase) in entries.prefix(limit) {
            if let place = places[index] {
                history.lines[place].purchases.append(purchase)
            } else {
                places[index] = history.lines.count
                history.lines.append(lines[index].historyLine([purchase], catalog: catalog))
            }
        }
        if !history.isShortened, !state.isErased {
            let bare = lines.filter { $0.transactions.isEmpty && !$0.isEmpty }
            history.lines += bare.map { $0.historyLine([], catalog: catalog) }
        }
        return history
    }
}

extension LineState {
    fileprivate func historyLine(_ purchases: [Purchase], catalog: Catalog) -> PurchaseHistory.Line {
        PurchaseHistory.Line(
            id: id,
            isOwned: owner != nil || isErased,
            type: purchases.first.flatMap { catalog.type(of: $0.newest) },
            unmappedProductIDs: Set(transactions.map(\.newest.productID)).filter { catalog[$0] == nil }.sorted(),
            purchases: purchases
        )
    }
}
