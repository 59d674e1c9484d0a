import EntitlementDomain
import Postgres

/// Brings projection `entitlements` to a catalog that comes into force, for the lines that its group does not change
/// otherwise.
///
/// It belongs to the transaction of the `CatalogChanged` event, so that the projection is the fold of the log at every
/// position. The log's lock is held meanwhile: what takes time is kept to the lines with a product that changed.
struct CatalogProjection {
    let plan: AppendPlan
    let policy: Policy

    /// Lines that are read and written together.
    private static let pageLength = 1_000

    /// $1...$5 the line to start behind, in the order of the primary key, $6 product ids in UTF-8, $7 the most lines.
    ///
    /// A state holds the ids of its products as they are; one that holds the same bytes elsewhere is looked at in vain.
    private static let find = PreparedStatement(
        """
        SELECT \(LineRow.columns) FROM entitled.lines l
        WHERE (l.line_id, l.environment, l.bundle_id, l.store, l.ownership)
            > ($1::text, $2::text, $3::text, $4::text, $5::text)
            AND EXISTS (SELECT FROM unnest($6::bytea[]) AS p (id) WHERE position(p.id IN l.state) > 0)
        ORDER BY l.line_id, l.environment, l.bundle_id, l.store, l.ownership LIMIT $7::bigint
        """
    )

    func write(_ session: PostgresSession) throws {
        let (before, after) = (plan.catalogBefore, plan.catalog)
        let ids = Set(before.products.keys).union(after.products.keys).filter { before[$0] != after[$0] }.sorted()
        if ids.isEmpty { return }
        let products = PostgresValue.byteaArray(ids.map { Array($0.utf8) })
        var start = [PostgresValue](repeating: .text(""), count: 5)
        while true {
            let page = try session.query(Self.find, start + [products, .int8(Int64(Self.pageLength))])
            var changes = EntitlementChanges()
            for row in page.rows {
                let line = try LineRow.read(page, row)
                start = [
                    .text(line.id.originalTransactionID), .text(line.id.environment.rawValue), .text(line.id.bundleID),
                    .text(line.id.store.rawValue), .text(line.id.ownership.rawValue),
                ]
                if plan.changedLines[line.id] != nil { continue }
                changes.add(
                    line.id,
                    before: EntitlementInterval.all(of: line, catalog: before, policy: policy),
                    after: EntitlementInterval.all(of: line, catalog: after, policy: policy)
                )
            }
            let steps = changes.steps
            if !steps.isEmpty { _ = try session.pipeline(steps) }
            if page.rowCount < Self.pageLength { return }
        }
    }
}
