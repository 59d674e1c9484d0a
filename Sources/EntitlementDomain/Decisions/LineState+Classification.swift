extension LineState {
    /// The label of the event that carries these facts, given what the line knew before.
    ///
    /// An event that announces a transaction (`Purchased`, `Renewed`, …) appears once for a purchase, whichever of the
    /// device and the notification came first; what adds nothing but a signature is `Confirmed`.
    ///
    /// - Parameter catalog: tells the kind of a product where the statement does not.
    package func eventType(for facts: StatementFacts, catalog: Catalog) -> EventType {
        guard let transaction = facts.transaction else {
            return facts.namedType ?? (facts.renewal == nil ? .received : .confirmed)
        }
        guard let named = facts.namedType else { return factualType(of: transaction, catalog: catalog) }
        switch named {
        case .purchased, .renewed, .resubscribed, .planChanged:
            return isAnnounced(transaction, catalog: catalog) ? .confirmed : named
        case .refunded, .revoked:
            let known = self[transactionID: transaction.transactionID]
            return known?.revokedAt != nil && known?.revokedAt == transaction.revokedAt ? .confirmed : named
        case .refundReversed:
            guard let known = self[transactionID: transaction.transactionID], transaction.revokedAt == nil else {
                return named
            }
            let isKnown = known.revokedAt == nil && known.lastCleanAt.map { $0 >= transaction.signedAt } ?? false
            return isKnown && known.hasBeenRevoked && known.isAnnounced ? .confirmed : named
        default:
            return named
        }
    }

    /// Whether an event has told of the purchase that this transaction stands for.
    package func isAnnounced(_ transaction: TransactionFacts, catalog: Catalog) -> Bool {
        transactions.contains { known in
            known.isAnnounced && standsForSamePurchase(known.newest, transaction, catalog: catalog)
        }
    }

    private func standsForSamePurchase(_ left: TransactionFacts, _ right: TransactionFacts, catalog: Catalog) -> Bool {
        if left.transactionID == right.transactionID || Self.areTwins(left, right) { return true }
        guard catalog.type(of: left) == .nonConsumable, catalog.type(of: right) == .nonConsumable else { return false }
        // A lifetime purchase is one however many ids it has, until it is refunded and bought again.
        let (earlier, later) = (min(left.purchasedAt, right.purchasedAt), max(left.purchasedAt, right.purchasedAt))
        return !transactions.contains { state in
            state.revokedAt.map { $0 >= earlier && $0 < later } ?? false
        }
    }

    /// The label by facts alone, for statements that have no name of their own (uploads, API pages, receipts).
    private func factualType(of transaction: TransactionFacts, catalog: Catalog) -> EventType {
        let known = self[transactionID: transaction.transactionID]
        if transaction.isFromReceipt, let known, let type = receiptType(of: transaction, known: known) { return type }
        let isNewer = known.map { transaction.signedAt >= $0.newest.signedAt } ?? true
        if transaction.revokedAt != nil {
            // It tells of the revocation or of nothing new; the purchase is told of by a statement without one.
            return isNewer && known?.revokedAt == nil ? revocationType(of: transaction) : .confirmed
        }
        if isAnnounced(transaction, catalog: catalog) {
            guard let known, isNewer else { return .confirmed }
            if known.revokedAt != nil { return .refundReversed }
            if let end = transaction.expiresAt, let before = known.newest.expiresAt, end > before {
                return .renewalExtended
            }
            if transaction.isUpgraded, !known.newest.isUpgraded, isLastPurchase(transaction) { return .planChanged }
            return .confirmed
        }
        guard catalog.type(of: transaction) == .autoRenewable else { return .purchased }
        if transaction.isRenewal == true { return .renewed }
        if transaction.transactionID == transaction.originalTransactionID { return .purchased }
        let before = transactions.last { $0.newest.purchasedAt < transaction.purchasedAt }?.newest
        guard let before else { return .resubscribed }
        if transaction.isRenewal == nil, transaction.isFromReceipt, isSeamless(transaction, after: before) {
            return .renewed
        }
        if before.productID != transaction.productID, (before.expiresAt ?? .distantPast) > transaction.purchasedAt {
            return .planChanged
        }
        return .resubscribed
    }

    /// What a receipt says anew of a transaction that an event has told of: a receipt knows too little for more.
    /// Nil where nothing has told of it yet.
    private func receiptType(of transaction: TransactionFacts, known: TransactionState) -> EventType? {
        var after = known
        after.merge(transaction)
        switch (known.revokedAt, after.revokedAt) {
        case (nil, .some): return revocationType(of: transaction)
        case (.some, nil): return known.isAnnounced ? .refundReversed : nil
        case (.some, .some): return .confirmed
        case (nil, nil): return known.isAnnounced ? .confirmed : nil
        }
    }

    /// Whether a period begins where the one before it ended; receipts do not say who initiated it, and only a renewal by
    /// the system is that punctual.
    private func isSeamless(_ transaction: TransactionFacts, after before: TransactionFacts) -> Bool {
        guard let end = before.expiresAt else { return false }
        return transaction.purchasedAt >= end.advanced(byMilliseconds: -Self.punctuality)
            && transaction.purchasedAt <= end.advanced(byMilliseconds: Self.punctuality)
    }

    /// In milliseconds; the dates of a receipt have whole seconds.
    private static let punctuality: Int64 = 60_000

    private func revocationType(of transaction: TransactionFacts) -> EventType {
        transaction.ownership == .familyShared || transaction.revocationKind == .family ? .revoked : .refunded
    }

    private func isLastPurchase(_ transaction: TransactionFacts) -> Bool {
        transactions.last.map { $0.newest.purchasedAt <= transaction.purchasedAt } ?? true
    }
}
