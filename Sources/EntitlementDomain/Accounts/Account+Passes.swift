extension Account {
    /// The sources of non-renewing passes: the App Store gives them no end, the catalog's duration does.
    ///
    /// Stacked passes of one product follow each other over all lines of the account and form one span; a refunded
    /// pass leaves the span as if it had never been bought. Without stacking each pass runs from its own purchase.
    func passSources(catalog: Catalog, horizon: inout ChangeHorizon) -> [EntitlementSource] {
        var passes: [String: [Pass]] = [:]
        for line in lines where line.has(.nonRenewing, by: catalog) {
            for purchase in line.purchases where catalog.type(of: purchase.newest) == .nonRenewing {
                horizon.note(purchase.startsAt)
                horizon.note(purchase.revokedAt)
                guard purchase.startsAt <= horizon.instant else { continue }
                passes[purchase.newest.productID, default: []].append(Pass(line: line.id, purchase: purchase))
            }
        }
        var sources: [EntitlementSource] = []
        for (productID, bought) in passes.sorted(by: { $0.key < $1.key }) {
            guard let product = catalog[productID] else { continue }
            let ordered = bought.sorted {
                ($0.purchase.purchasedAt, $0.purchase.transactionIDs[0]) < (
                    $1.purchase.purchasedAt, $1.purchase.transactionIDs[0]
                )
            }
            let spans = Self.spans(of: ordered, product: product, at: horizon.instant)
            for span in spans { horizon.note(span.endsAt) }
            let best = spans.min { left, right in
                // Active before inactive, then the later end, then the later start.
                let active = (left.isActive(at: horizon.instant), right.isActive(at: horizon.instant))
                if active.0 != active.1 { return active.0 }
                return (left.endsAt, left.startsAt) > (right.endsAt, right.startsAt)
            }
            guard let best else { continue }
            for entitlement in product.grants {
                sources.append(best.source(of: entitlement, at: horizon.instant))
            }
        }
        return sources
    }

    /// A pass and the line it belongs to.
    private struct Pass {
        var line: LineID
        var purchase: Purchase

        func isRevoked(at instant: Instant) -> Bool {
            purchase.revokedAt.map { $0 <= instant } ?? false
        }
    }

    /// A stretch of access made of one pass or of several that follow each other.
    private struct Span {
        var pass: Pass
        var startsAt: Instant
        var endsAt: Instant
        var isRevoked = false

        func isActive(at instant: Instant) -> Bool {
            !isRevoked && instant < endsAt
        }

        func source(of entitlement: String, at instant: Instant) -> EntitlementSource {
            EntitlementSource(
                entitlement: entitlement,
                state: isRevoked ? .revoked : instant < endsAt ? .active : .expired,
                store: pass.line.store,
                environment: pass.line.environment,
                bundleID: pass.line.bundleID,
                productID: pass.purchase.newest.productID,
                productType: .nonRenewing,
                originalTransactionID: pass.line.originalTransactionID,
                transactionID: pass.purchase.newest.transactionID,
                startsAt: startsAt,
                expiresAt: endsAt,
                accessEndsAt: endsAt,
                ownership: pass.line.ownership,
                offer: pass.purchase.newest.offer,
                revokedAt: pass.purchase.revokedAt
            )
        }
    }

    private static func spans(of passes: [Pass], product: Product, at instant: Instant) -> [Span] {
        var spans: [Span] = []
        var running: Int?
        for pass in passes {
            let purchase = pass.purchase
            if let revokedAt = purchase.revokedAt, pass.isRevoked(at: instant) {
                let end = min(revokedAt, endBeforeRefund(of: pass, at: revokedAt, among: passes, product: product))
                spans.append(Span(pass: pass, startsAt: purchase.startsAt, endsAt: end, isRevoked: true))
                continue
            }
            let end = product.duration.map { purchase.purchasedAt.adding($0) } ?? purchase.newest.expiresAt
            guard let end else { continue }
            if product.stacking, let index = running, purchase.purchasedAt <= spans[index].endsAt,
                let duration = product.duration
            {
                spans[index].endsAt = spans[index].endsAt.adding(duration)
                // The pass that runs at the instant names the transaction.
                spans[index].pass = pass
            } else {
                running = spans.count
                spans.append(Span(pass: pass, startsAt: purchase.startsAt, endsAt: end))
            }
        }
        return spans
    }

    /// The end that a refunded pass had a moment before its refund: that of the span it was part of then.
    private static func endBeforeRefund(
        of pass: Pass,
        at revokedAt: Instant,
        among passes: [Pass],
        product: Product
    ) -> Instant {
        let before = revokedAt.advanced(byMilliseconds: -1)
        let standing = passes.filter { $0.purchase.startsAt <= before && !$0.isRevoked(at: before) }
        return spans(of: product.stacking ? standing : [pass], product: product, at: before)
            .last { $0.startsAt <= pass.purchase.purchasedAt }?.endsAt ?? revokedAt
    }
}
