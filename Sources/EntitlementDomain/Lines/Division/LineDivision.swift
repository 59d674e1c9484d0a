/// Finds the cut of a long line of subscription periods.
///
/// The purchases are in the order of the time line. A cut is clean when everything before it, purchases and statements, is
/// dated before everything after it begins: then no period behind it gives access once the first one after it was
/// bought, and no fact dated after it can change what is behind it. The cut is the last clean one that leaves enough
/// periods after it.
///
/// Of what is behind the cut the head keeps the few purchases that answers still speak of or decisions need. Each of them
/// is chosen by "the first", "the last" or "the last of a product", so a choice among the head's purchases is the choice
/// among all; that is what makes it possible to divide a head again without the rest of the line.
struct LineDivision {
    private let line: LineState
    /// All purchases in the order of the time line, malformed ones among them.
    private let purchases: [Purchase]
    /// The first purchase after the cut.
    private let place: Int
    private let cut: LineCut

    /// - Returns: nil when there is nothing to put behind a cut.
    init?(of line: LineState, keeping recent: Int) {
        guard line.transactions.allSatisfy(Self.canBeSettled) else { return nil }
        self.line = line
        purchases = SubscriptionTimeline.inOrder(line.purchases)
        // A statement from before all periods belongs to the first one, so that must be behind the cut.
        guard let first = purchases.firstIndex(where: SubscriptionTimeline.isSound),
            let found = Self.find(in: line, purchases, from: first + 1, after: nil, keeping: recent)
        else { return nil }
        (place, cut) = found
        if kept.count == place { return nil }
    }

    /// Divides a head again.
    ///
    /// - Returns: nil when the facts that were added to `before` are not all of the time after its cut, or too few periods
    ///   are left after it.
    init?(of head: LineState, after before: LineState, at known: LineCut, keeping recent: Int) {
        let until = known.settledUntil
        func settled(_ line: LineState) -> [TransactionState] { line.transactions.filter { $0.startsAt <= until } }
        guard head.transactions.allSatisfy(Self.canBeSettled), before.cut == known, settled(head) == settled(before),
            head.renewals.prefix(while: { $0.signedAt <= until })
                == before.renewals.prefix(while: { $0.signedAt <= until })
        else { return nil }
        line = head
        purchases = SubscriptionTimeline.inOrder(head.purchases)
        let ids = Set(settled(head).map(\.transactionID))
        let place = purchases.prefix { ids.contains($0.transactionIDs[0]) }.count
        // A purchase of which only some transaction ids are behind the cut has come together just now.
        guard purchases[..<place].reduce(0, { $0 + $1.transactionIDs.count }) == ids.count,
            purchases[..<place].allSatisfy({ $0.transactionIDs.allSatisfy(ids.contains) }),
            let found = Self.find(in: head, purchases, from: place, after: known, keeping: recent)
        else { return nil }
        (self.place, cut) = found
    }

    /// Only of a subscription period that says so itself it is sure, whatever the catalog will be, that it gives nothing
    /// once it is over.
    private static func canBeSettled(_ transaction: TransactionState) -> Bool {
        transaction.newest.type == .autoRenewable
    }

    // MARK: The cut

    /// - Parameters:
    ///   - first: the first place that may be the cut.
    ///   - known: the cut that is there.
    private static func find(
        in line: LineState,
        _ purchases: [Purchase],
        from first: Int,
        after known: LineCut?,
        keeping recent: Int
    ) -> (place: Int, cut: LineCut)? {
        let states = TransactionsOfPurchases(line)
        // What is behind each place: the last date, and the last revocation.
        var dates: [Instant] = [known?.settledUntil ?? .distantPast]
        var revocations: [Instant?] = [known?.revokedUntil]
        for (index, purchase) in purchases.enumerated() {
            let last = states[purchase].reduce(dates[index]) { max($0, $1.newest.purchasedAt) }
            dates.append(last)
            let revokedAt = [revocations[index], purchase.revokedAt].compactMap(\.self).max()
            revocations.append(revokedAt)
        }
        var (periods, next) = (0, line.renewals.count)
        // What is after the place: when the first of it begins, when its first period begins, and that period's date.
        var (begins, periodBegins, date) = (Instant.distantFuture, Instant.distantFuture, Instant.distantFuture)
        var place = purchases.count
        while place > first {
            place -= 1
            let purchase = purchases[place]
            begins = states[purchase].reduce(begins) { min($0, $1.startsAt) }
            if SubscriptionTimeline.isSound(purchase) {
                periods += 1
                periodBegins = min(periodBegins, purchase.startsAt)
                date = min(date, purchase.purchasedAt)
            }
            guard periods >= recent else { continue }
            // The statements that belong to the periods before.
            while next > 0, line.renewals[next - 1].signedAt >= periodBegins { next -= 1 }
            let settledUntil = next > 0 ? max(dates[place], line.renewals[next - 1].signedAt) : dates[place]
            guard begins > settledUntil else { continue }
            let revokedUntil = revocations[place]
            return (
                place,
                LineCut(
                    settledUntil: settledUntil,
                    revokedUntil: revokedUntil,
                    answersFrom: revokedUntil.map { max($0, date) } ?? date
                )
            )
        }
        return nil
    }

    // MARK: The parts

    /// The places of the purchases behind the cut that stay in the head.
    private var kept: Set<Int> {
        let behind = line.transactions.prefix { $0.newest.purchasedAt <= cut.settledUntil }
        var ids: Set<String> = []
        // The last one of each product tells the group of the catalog, the last one that names a group that of the App
        // Store, and the last of all what a new purchase is called.
        var lastOfProduct: [String: String] = [:]
        for transaction in behind { lastOfProduct[transaction.newest.productID] = transaction.transactionID }
        ids.formUnion(lastOfProduct.values)
        if let named = behind.last(where: { $0.newest.subscriptionGroupID != nil }) { ids.insert(named.transactionID) }
        if let offered = behind.first(where: \.hasIntroductoryOffer) { ids.insert(offered.transactionID) }
        if let owned = LineState.firstOwned(behind) { ids.insert(owned.transactionID) }
        var places = Set(
            purchases[..<place].indices.filter { purchases[$0].transactionIDs.contains(where: ids.contains) }
        )
        // What is over is answered by the last period of each product, and that one's end by the purchase that took over.
        let periods = purchases[..<place].indices.filter { SubscriptionTimeline.isSound(purchases[$0]) }
        var seen: Set<String> = []
        var takesOver: Int?
        for index in periods.reversed() {
            if seen.insert(purchases[index].newest.productID).inserted {
                places.insert(index)
                if let takesOver { places.insert(takesOver) }
            }
            if takesOver.map({ purchases[index].purchasedAt <= purchases[$0].purchasedAt }) ?? true {
                takesOver = index
            }
        }
        return places
    }

    var result: DividedLine {
        let states = TransactionsOfPurchases(line)
        let kept = kept
        let periods = purchases.indices.filter { SubscriptionTimeline.isSound(purchases[$0]) }
        let slices = Dictionary(
            uniqueKeysWithValues: zip(
                periods,
                SubscriptionTimeline.slices(of: line.renewals, periods: periods.map { purchases[$0] })
            )
        )
        var gone: Set<String> = []
        var renewals: [RenewalFacts] = []
        var earlier: [EarlierTransaction] = []
        for (index, purchase) in purchases.enumerated() {
            if index >= place || kept.contains(index) {
                renewals += slices[index] ?? []
                continue
            }
            for state in states[purchase] {
                let isFirst = state.transactionID == purchase.transactionIDs[0]
                earlier.append(EarlierTransaction(state: state, renewals: isFirst ? Array(slices[index] ?? []) : []))
                gone.insert(state.transactionID)
            }
        }
        let head = line.head(
            transactions: line.transactions.filter { !gone.contains($0.transactionID) },
            renewals: renewals,
            cut: cut
        )
        return DividedLine(head: head, earlier: earlier)
    }
}

/// The states of the transactions that stand for a purchase, each as it is by itself.
private struct TransactionsOfPurchases {
    private let transactions: [TransactionState]
    /// Places by id; nil for a line so short that searching it is quicker.
    private let places: [String: Int]?

    init(_ line: LineState) {
        transactions = line.transactions
        places =
            transactions.count <= 16
            ? nil
            : Dictionary(
                transactions.enumerated().map { ($1.transactionID, $0) },
                uniquingKeysWith: { first, _ in first }
            )
    }

    subscript(purchase: Purchase) -> [TransactionState] {
        purchase.transactionIDs.compactMap { id in
            let place = places.map { $0[id] } ?? transactions.firstIndex { $0.transactionID == id }
            return place.map { transactions[$0] }
        }
    }
}
