import EntitlementDomain
import Postgres

/// What a line grants of one entitlement: a row of the projection `entitlements`.
struct EntitlementInterval: Hashable {
    var entitlement: String
    var productID: String
    var startsAt: Instant
    var accessEndsAt: Instant?
    var expiresAt: Instant?
    var revokedAt: Instant?

    /// The columns that the reader takes, of `entitlements` under the name `e`.
    static let columns = "e.entitlement, e.product_id, e.starts_at, e.access_ends_at, e.expires_at, e.revoked_at"

    /// All rows of a line: a pure function of its facts, asked at the end of time, when every end has come.
    static func all(of line: LineState, catalog: Catalog, policy: Policy) -> [String: EntitlementInterval] {
        // An erased line, and one of which nothing is known, gives access to nobody.
        if line.isErased || line.isEmpty { return [:] }
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

extension EntitlementInterval {
    /// A row as it stands in the table.
    ///
    /// - Parameter column: the place of the first of `columns`.
    init(_ result: PostgresResult, _ row: Int, from column: Int) throws {
        self.init(
            entitlement: try result.text(row, column),
            productID: try result.text(row, column + 1),
            startsAt: Instant(microseconds: try result.timestamp(row, column + 2)),
            accessEndsAt: try result.optionalTimestamp(row, column + 3).map(Instant.init(microseconds:)),
            expiresAt: try result.optionalTimestamp(row, column + 4).map(Instant.init(microseconds:)),
            revokedAt: try result.optionalTimestamp(row, column + 5).map(Instant.init(microseconds:))
        )
    }
}
