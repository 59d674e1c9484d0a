import EntitlementDomain

extension Oracle {
    /// "A refund of a non-consumable ends the whole line, whichever transaction id it names"; what is bought after the
    /// refund is a new purchase.
    func lifetimeEntries(of line: FactSet, at instant: Instant) -> [String: [OracleEntry]] {
        let purchases = purchases(of: line, .nonConsumable)
        let refunds = purchases.compactMap(\.revokedAt)
        var entries: [String: [OracleEntry]] = [:]
        for purchase in purchases where purchase.start <= instant {
            let refundedAt = refunds.filter { $0 >= purchase.purchasedAt }.min()
            let isRevoked = refundedAt.map { $0 <= instant } ?? false
            let entry = OracleEntry(
                state: isRevoked ? .revoked : .active,
                productID: purchase.newest.productID,
                originalTransactionID: line.line.originalTransactionID,
                revokedAt: refundedAt,
                accessEnd: refundedAt
            )
            for entitlement in catalog[purchase.newest.productID]?.grants ?? [] {
                entries[entitlement, default: []].append(entry)
            }
        }
        return entries.mapValues(OracleEntry.best)
    }
}
