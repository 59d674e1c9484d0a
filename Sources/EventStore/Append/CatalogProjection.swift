import EntitlementDomain
import Postgres

/// Brings projection `entitlements` to the catalog in force, for the lines with a product that changed, in the order of
/// the primary key.
///
/// The first page belongs to the transaction of the `CatalogChanged` event, so a small log's projection follows at once.
/// A larger log's follows in transactions of one page each, so that no append waits long for the log's lock; how far it
/// has come stands in table `catalog_walk`, so any instance goes on where another one, or a crash, left it. Answers do
/// not wait for it: they come from the lines' states and the catalog in force.
struct CatalogProjection {
    /// Lines that are looked at in one transaction.
    static let pageLength = 1_000

    let policy: Policy
    let catalogs: CatalogCache

    /// Follows a catalog whose event the open transaction has written: as far as one page goes.
    ///
    /// - Parameter position: of the event. The transaction holds the log's lock.
    func begin(at position: Int64, _ session: PostgresSession) throws {
        _ = try session.query(CatalogWalk.begin, [.int8(position)])
        let walk = try CatalogWalk(session)
        _ = try writePage(walk, changes(of: walk, session), locksHead: false, session)
    }

    /// Goes on, page by page.
    ///
    /// - Parameter deadline: no page begins after it.
    /// - Returns: whether all rows follow the catalog in force.
    func proceed(until deadline: ContinuousClock.Instant, _ session: PostgresSession) throws -> Bool {
        var walk = try CatalogWalk(session)
        var changes: Changes?
        while !walk.isDone {
            if ContinuousClock.now >= deadline { return false }
            try session.transaction(PostgresTransactionMode(isolation: .readCommitted)) { session in
                let known = changes.flatMap { $0.isOf(walk) ? $0 : nil }
                let current = try known ?? self.changes(of: walk, session)
                changes = current
                _ = try writePage(walk, current, locksHead: true, session)
            }
            let next = try CatalogWalk(session)
            if next == walk { throw StoreError.failed("table catalog_walk names a catalog that is not in force") }
            walk = next
        }
        return true
    }

    // MARK: What changed

    /// What the walk brings to the lines.
    private struct Changes {
        var previousPosition: Int64
        var position: Int64
        var catalog: Catalog
        /// The products that changed since the rows followed one catalog, in UTF-8.
        var products: [[UInt8]]

        func isOf(_ walk: CatalogWalk) -> Bool {
            position == walk.catalogPosition && previousPosition == walk.previousPosition
        }
    }

    /// A walk that was cut short by another catalog has left rows of that one too, so every step on the way counts.
    private func changes(of walk: CatalogWalk, _ session: PostgresSession) throws -> Changes {
        let steps = try session.query(
            CatalogWalk.catalogs,
            [.int8(walk.previousPosition), .int8(walk.catalogPosition)]
        )
        var catalog = try catalogs.document(at: walk.previousPosition, session).catalog
        var ids: Set<String> = []
        for row in steps.rows {
            let next = try catalogs.document(at: try steps.int64(row, 0), session).catalog
            ids.formUnion(catalog.productsChanged(by: next))
            catalog = next
        }
        return Changes(
            previousPosition: walk.previousPosition,
            position: walk.catalogPosition,
            catalog: catalog,
            products: ids.sorted().map { Array($0.utf8) }
        )
    }

    // MARK: A page

    /// Brings the next lines to the catalog and notes how far that was.
    ///
    /// - Parameter locksHead: whether the log's lock must be taken first, which is done only when there is something to
    ///   write. Lines are found without it: one that an append changes meanwhile has been brought to the catalog by that
    ///   append, unless it is concerned already.
    /// - Returns: whether it was done; otherwise another instance, or another catalog, was faster.
    private func writePage(
        _ walk: CatalogWalk,
        _ changes: Changes,
        locksHead: Bool,
        _ session: PostgresSession
    ) throws -> Bool {
        var lines: [LineID] = []
        var last: LineID?
        var count = 0
        if !changes.products.isEmpty {
            let page = try session.query(
                CatalogWalk.page,
                walk.place + [.byteaArray(changes.products), .int8(Int64(Self.pageLength))]
            )
            for row in page.rows {
                let id = try LineRow.id(page, row)
                if try page.bool(row, 5) { lines.append(id) }
                last = id
            }
            count = page.rowCount
        }
        if !lines.isEmpty {
            if locksHead {
                let head = try session.query(AppendStatements.lockHead, [])
                guard try head.int64(0, 3) == walk.catalogPosition else { return false }
            }
            try write(lines, changes.catalog, session)
        }
        let isLastPage = count < Self.pageLength
        let advanced = try session.query(
            CatalogWalk.advance,
            CatalogWalk.place(of: last) + [.bool(isLastPage), .int8(walk.catalogPosition)] + walk.place
        )
        return advanced.affectedRowCount == 1
    }

    /// Compares the rows that are there with those that should be: they may be of more than one catalog.
    private func write(_ ids: [LineID], _ catalog: Catalog, _ session: PostgresSession) throws {
        let keys = LineKeys(ids).values
        let results = try session.pipeline([
            PostgresPipelineStep(AppendStatements.findLines, keys), PostgresPipelineStep(CatalogWalk.rows, keys),
        ])
        var before: [LineID: [String: EntitlementInterval]] = [:]
        for row in results[1].rows {
            let interval = try EntitlementInterval(results[1], row, from: 5)
            before[try LineRow.id(results[1], row), default: [:]][interval.entitlement] = interval
        }
        var changes = EntitlementChanges()
        for row in results[0].rows {
            let line: LineState
            do {
                line = try LineRow.read(results[0], row)
            } catch is StoreError {
                // Every question about this line fails and says so; the other lines' rows must not wait for its repair.
                continue
            }
            changes.add(
                line.id,
                before: before[line.id] ?? [:],
                after: EntitlementInterval.all(of: line, catalog: catalog, policy: policy)
            )
        }
        let steps = changes.steps
        if !steps.isEmpty { _ = try session.pipeline(steps) }
    }
}
