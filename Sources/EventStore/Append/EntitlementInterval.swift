import EntitlementDomain

/// What a line grants of one entitlement: a row of the projection `entitlements`.
struct EntitlementInterval: Hashable {
    var entitlement: String
    var productID: String
    var startsAt: Instant
    var accessEndsAt: Instant?
    var expiresAt: Instant?
    var revokedAt: Instant?

    /// All rows of a line: a pure function of its facts, asked at the end of time, when every end has come.
    static func all(of line: LineState, catalog: Catalog, policy: Policy) -> [String: EntitlementInterval] {
        let answer = Account(lines: [line]).answer(at: .distantFuture, catalog: catalog, policy: policy)
        var rows: [String: EntitlementInterval] = [:]
        for entitlement in answer.entitlements {
            let source = entitlement.decisive
            rows[entitlement.id] = EntitlementInterval(
                entitlement: entitlement.id,
                productID: source.productID ?? "",
                startsAt: source.startsAt,
                accessEndsAt: source.accessEndsAt,
                expiresAt: source.expiresAt,
                revokedAt: source.revokedAt
            )
        }
        return rows
    }
}
