import EntitlementDomain

/// The rules of access and balances written down a second time, sentence by sentence and without any cleverness, to
/// compare the product's answers with. It works on the plain set of facts and reads all of it for every question.
struct Oracle {
    var catalog: Catalog
    var policy: Policy
    /// The lines that the account owns.
    var lines: [FactSet]

    init(_ history: History, account: AccountID = History.account) {
        catalog = History.catalog
        policy = history.policy
        lines = FactSet.sets(of: history).filter { $0.owner == account }
    }

    /// The best entry of each entitlement ever held by then; several where the rules leave open which.
    func entries(at instant: Instant) -> [String: [OracleEntry]] {
        var all: [String: [OracleEntry]] = [:]
        for line in lines {
            for (entitlement, found) in subscriptionEntries(of: line, at: instant) {
                all[entitlement, default: []] += found
            }
            for (entitlement, found) in lifetimeEntries(of: line, at: instant) {
                all[entitlement, default: []] += found
            }
        }
        for (entitlement, found) in passEntries(at: instant) { all[entitlement, default: []] += found }
        return all.mapValues(OracleEntry.best).filter { !$0.value.isEmpty }
    }

    func purchases(of line: FactSet, _ type: ProductType) -> [OraclePurchase] {
        line.purchases.filter { catalog.type(of: $0.newest) == type }
    }
}
