import EntitlementDomain

/// All that was signed about one line, as a set, and who was explicitly said to own it.
struct FactSet {
    var line: LineID
    var versions: Set<TransactionFacts> = []
    var renewals: Set<RenewalFacts> = []
    var links: [(position: Int64, account: AccountID)] = []
    /// The line's purchases by purchase date: transaction ids that stand for one period are one purchase.
    var purchases: [OraclePurchase] = []

    /// The sets of a history's lines.
    static func sets(of history: History) -> [FactSet] {
        history.lineIDs.map { line in
            var set = FactSet(line: line)
            for statement in history.statements where statement.line == line {
                if let transaction = statement.transaction { set.versions.insert(transaction) }
                if let renewal = statement.renewal { set.renewals.insert(renewal) }
            }
            set.links = history.links.filter { $0.line == line }.map { ($0.position, $0.account) }
            set.purchases = purchases(of: set.versions)
            return set
        }
    }

    /// "An explicit link or transfer wins over every token"; otherwise "the token of the earliest purchase that carries
    /// one owns the line".
    var owner: AccountID? {
        if let link = links.max(by: { $0.position < $1.position }) { return link.account }
        for purchase in purchases {
            let carriers = purchase.versions.filter { $0.appAccountToken != nil }
            if let first = carriers.first { return first.appAccountToken }
        }
        return nil
    }

    private static func purchases(of versions: Set<TransactionFacts>) -> [OraclePurchase] {
        var groups: [[TransactionFacts]] = []
        for id in Set(versions.map(\.transactionID)).sorted() {
            groups.append(versions.filter { $0.transactionID == id })
        }
        var hasMerged = true
        while hasMerged {
            hasMerged = false
            search: for first in groups.indices {
                for second in groups.indices where second > first && areOne(groups[first], groups[second]) {
                    groups[first] += groups[second]
                    groups.remove(at: second)
                    hasMerged = true
                    break search
                }
            }
        }
        // Nothing is written about purchases of the same instant: an upgraded one is before the one that it was upgraded to,
        // and of two others the one that ends later is the later one.
        return groups.map { OraclePurchase($0) }.sorted { left, right in
            func order(_ purchase: OraclePurchase) -> (Instant, Int, Instant, String) {
                let newest = purchase.newest
                let ids = purchase.versions.map(\.transactionID)
                return (
                    purchase.purchasedAt, newest.isUpgraded ? 0 : 1, newest.expiresAt ?? .distantFuture, ids.min() ?? ""
                )
            }
            return order(left) < order(right)
        }
    }

    /// "Two transaction ids with the same webOrderLineItemId are one period", "or, where that is absent, [with the] same
    /// purchase and expiry dates".
    private static func areOne(_ left: [TransactionFacts], _ right: [TransactionFacts]) -> Bool {
        for first in left {
            for second in right {
                if let item = first.webOrderLineItemID, let other = second.webOrderLineItemID {
                    if item == other { return true }
                } else if first.purchasedAt == second.purchasedAt, first.expiresAt == second.expiresAt {
                    return true
                }
            }
        }
        return false
    }
}
