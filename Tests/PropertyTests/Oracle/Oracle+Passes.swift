import EntitlementDomain

extension Oracle {
    private struct Pass {
        var line: LineID
        var purchase: OraclePurchase
    }

    /// "Stacked passes form one span: expiresAt is the end of the whole; a refunded pass leaves the span as if never
    /// bought; without stacking each pass runs from its own purchase".
    func passEntries(at instant: Instant) -> [String: [OracleEntry]] {
        var entries: [String: [OracleEntry]] = [:]
        for product in catalog.products.values where product.type == .nonRenewing {
            var passes: [Pass] = []
            for line in lines {
                for purchase in purchases(of: line, .nonRenewing) where purchase.newest.productID == product.id {
                    passes.append(Pass(line: line.line, purchase: purchase))
                }
            }
            let found = passes.filter { $0.purchase.start <= instant }.map { pass in
                entry(of: pass, among: passes, product: product, at: instant)
            }
            for entitlement in product.grants { entries[entitlement, default: []] += found }
        }
        return entries
    }

    private func entry(of pass: Pass, among all: [Pass], product: Product, at instant: Instant) -> OracleEntry {
        let revokedAt = pass.purchase.revokedAt
        var entry = OracleEntry(
            state: .expired,
            productID: product.id,
            originalTransactionID: pass.line.originalTransactionID,
            revokedAt: revokedAt
        )
        if let revokedAt, revokedAt <= instant {
            // It gave access until the refund, or until the span that it was part of was over.
            let before = revokedAt.advanced(byMilliseconds: -1)
            let end =
                pass.purchase.start <= before
                ? spanEnd(of: pass, among: all, product: product, at: before) : pass.purchase.start
            entry.state = .revoked
            entry.accessEnd = min(end, revokedAt)
            return entry
        }
        let end = spanEnd(of: pass, among: all, product: product, at: instant)
        entry.state = instant < end ? .active : .expired
        entry.expiresAt = end
        entry.accessEnd = end
        return entry
    }

    /// The end of the span that a pass belongs to, of the passes bought by then and not refunded then.
    private func spanEnd(of pass: Pass, among all: [Pass], product: Product, at instant: Instant) -> Instant {
        guard let duration = product.duration else { return pass.purchase.purchasedAt }
        guard product.stacking else { return pass.purchase.purchasedAt.adding(duration) }
        let standing = all.filter { $0.purchase.start <= instant && !$0.purchase.isRevoked(at: instant) }
            .sorted { $0.purchase.purchasedAt < $1.purchase.purchasedAt }
        var end: Instant?
        var isMember = false
        for other in standing {
            if let running = end, other.purchase.purchasedAt <= running {
                end = running.adding(duration)
            } else {
                if isMember { break }
                end = other.purchase.purchasedAt.adding(duration)
            }
            if other.line == pass.line, other.purchase.purchasedAt == pass.purchase.purchasedAt { isMember = true }
        }
        return end ?? pass.purchase.purchasedAt
    }
}
