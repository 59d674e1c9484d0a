extension Account {
    /// The balance of every currency that was ever credited, at the horizon's instant: quantity × units of each
    /// consumable, once per purchase, less what was spent and what refunds take back.
    ///
    /// A prorated refund takes `floor(units × share)`; with the share missing, and for every other kind, all units.
    /// Under `floorAtZero` a refund takes at most what is there.
    package func balances(catalog: Catalog, policy: Policy, horizon: inout ChangeHorizon) -> [String: Int64] {
        var movements: [Movement] = []
        for line in lines where !line.isErased && line.has(.consumable, by: catalog) {
            for purchase in line.purchases where catalog.type(of: purchase.newest) == .consumable {
                guard let product = catalog[purchase.newest.productID] else { continue }
                for (currency, units) in product.credits {
                    let (credited, overflow) = units.multipliedReportingOverflow(by: Int64(purchase.newest.quantity))
                    guard !overflow else { continue }
                    let key = purchase.transactionIDs[0]
                    movements.append(
                        Movement(at: purchase.startsAt, rank: 0, key: key, currency: currency, units: credited)
                    )
                    if let revokedAt = purchase.revokedAt {
                        let taken = Self.unitsTaken(of: credited, by: purchase.newest)
                        let at = max(revokedAt, purchase.startsAt)
                        movements.append(Movement(at: at, rank: 1, key: key, currency: currency, units: -taken))
                    }
                }
            }
        }
        for spend in state.spends {
            movements.append(
                Movement(
                    at: spend.at,
                    rank: 2,
                    position: spend.position,
                    key: "",
                    currency: spend.currency,
                    units: -spend.units
                )
            )
        }
        movements.sort {
            ($0.at, $0.rank, $0.position, $0.key, $0.currency) < ($1.at, $1.rank, $1.position, $1.key, $1.currency)
        }
        var balances: [String: Int64] = [:]
        for movement in movements {
            horizon.note(movement.at)
            guard movement.at <= horizon.instant else { continue }
            let before = balances[movement.currency, default: 0]
            let after = before.addingReportingOverflow(movement.units).partialValue
            let isFloored = movement.rank == 1 && policy.negativeBalance == .floorAtZero
            balances[movement.currency] = isFloored ? max(after, min(before, 0)) : after
        }
        return balances
    }

    /// A credit or a debit of one currency.
    private struct Movement {
        var at: Instant
        /// Credits before refunds before spends of the same instant.
        var rank: Int
        /// Of a spend's event; 0 for what the store signed, whose order of arrival must not count.
        var position: Int64 = 0
        var key: String
        var currency: String
        var units: Int64
    }

    private static func unitsTaken(of units: Int64, by refund: TransactionFacts) -> Int64 {
        guard refund.revocationKind == .prorated, let share = refund.revocationPercentage else { return units }
        let product = units.multipliedFullWidth(by: Int64(share))
        return Int64(100_000).dividingFullWidth(product).quotient
    }
}
