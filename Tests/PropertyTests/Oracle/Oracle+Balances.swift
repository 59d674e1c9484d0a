import EntitlementDomain

extension Oracle {
    /// "Quantity × units, once per transaction, … minus what refunds take back": of a prorated refund
    /// `floor(units × share)`, with the share missing all units; under `floorAtZero` "a refund never takes a balance
    /// below zero".
    func balances(at instant: Instant) -> [String: Int64] {
        struct Movement {
            var at: Instant
            var isRefund: Bool
            var units: Int64
        }
        var balances: [String: Int64] = [:]
        for currency in catalog.currencies {
            var movements: [Movement] = []
            for line in lines {
                for purchase in purchases(of: line, .consumable) {
                    guard let each = catalog[purchase.newest.productID]?.credits[currency] else { continue }
                    let units = each * Int64(purchase.newest.quantity)
                    movements.append(Movement(at: purchase.start, isRefund: false, units: units))
                    guard let revokedAt = purchase.revokedAt else { continue }
                    var taken = units
                    if purchase.newest.revocationKind == .prorated, let share = purchase.newest.revocationPercentage {
                        taken = units * Int64(share) / 100_000
                    }
                    movements.append(Movement(at: max(revokedAt, purchase.start), isRefund: true, units: taken))
                }
            }
            let passed = movements.filter { $0.at <= instant }
                .sorted { ($0.at, $0.isRefund ? 1 : 0) < ($1.at, $1.isRefund ? 1 : 0) }
            for movement in passed {
                let before = balances[currency] ?? 0
                if !movement.isRefund {
                    balances[currency] = before + movement.units
                } else if policy.negativeBalance == .floorAtZero {
                    balances[currency] = before - min(movement.units, max(before, 0))
                } else {
                    balances[currency] = before - movement.units
                }
            }
        }
        return balances
    }
}
