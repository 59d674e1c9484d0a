import EntitlementDomain
import Postgres

/// Brings a new generation up to the log's head and puts it into the place of the live one.
struct GenerationSwitch: Sendable {
    let policy: Policy
    /// The position that the generation stands at.
    var position: Int64
    /// Positions of the catalogs up to there.
    var catalogs: [Int64]
    /// The catalog that its entitlements are projected with.
    var catalog: Catalog
    var onStep: @Sendable (ProjectionRebuild.Step) async throws -> Void

    /// Behind by so few events, the rest is done while no event can be appended.
    private static let shortDistance: Int64 = 500
    /// After so many rounds the rest is done all the same, when it does not get less.
    private static let patience = 8
    /// How long the switch waits for those who use the tables, before it lets those who wait behind it go first. Shorter than
    /// PostgreSQL's `deadlock_timeout` (1 s by default): a question that holds one table and waits for another must go on,
    /// and not be the one that PostgreSQL ends.
    private static let lockTimeout = "500ms"

    /// A catalog came into force while the log's lock was taken: projecting it would take too long under the lock.
    private struct CatalogCame: Error {}

    /// The catalog of a `CatalogChanged` event; the empty one before the first.
    static func catalog(at position: Int64?, _ session: PostgresSession) throws -> Catalog {
        guard let position else { return .empty }
        let found = try session.query(CatchUpStatements.catalogOfEvent, [.int8(position)])
        guard found.rowCount == 1 else { throw StoreError.failed("the event of position \(position) is missing") }
        do {
            return try CatalogDocument.read(try found.json(0, 0)).catalog
        } catch let error as CatalogError {
            throw StoreError.failed("the catalog of position \(position) cannot be read: \(error)")
        }
    }

    /// - Parameter threads: more sessions, for what can be done side by side before the switch.
    /// - Returns: the log's head at the switch.
    func perform(
        _ thread: PostgresThread,
        with threads: [PostgresThread],
        progress: @Sendable (AuditProgress) -> Void
    ) async throws -> LogPosition {
        var state = self
        var rounds = 0
        var hasNotedChanges = false
        while true {
            let head = try await thread.run { try LogExtent.read($0).head.position }
            let distance = head - state.position
            try await onStep(.behind(distance))
            progress(AuditProgress(phase: "catching up", done: state.position, total: head))
            if distance > Self.shortDistance, rounds < Self.patience {
                state = try await state.caughtUp(to: head, thread)
                rounds += 1
                continue
            }
            if !hasNotedChanges {
                try await thread.run { try $0.execute(CatchUpStatements.makeChanged) }
                let notes = CatchUpStatements.noteChanged
                try await WorkQueue.run(notes.count, on: threads) { number, _, session in
                    try session.execute(notes[number])
                }
                hasNotedChanges = true
                continue
            }
            let current = state
            do {
                return try await thread.run { try current.perform($0) }
            } catch is CatalogCame {
                state = try await state.caughtUp(to: head, thread)
            } catch {
                guard Self.isLockTimeout(error) else { throw error }
                progress(AuditProgress(phase: "waiting for those who use the tables", done: 0, total: 1, isWait: true))
                try await Task.sleep(for: .seconds(1))
            }
        }
    }

    private func caughtUp(to head: Int64, _ thread: PostgresThread) async throws -> GenerationSwitch {
        try await thread.run { session in
            try session.transaction { session in
                var next = self
                let added = try GenerationCatchUp(policy: policy)
                    .run(after: position, upTo: head, catalog: catalog, session)
                next.position = head
                next.catalogs += added
                if let last = added.last {
                    next.catalog = try Self.catalog(at: last, session)
                    try GenerationCatchUp(policy: policy).project(next.catalog, session)
                }
                return next
            }
        }
    }

    /// The last step, under the log's lock.
    private func perform(_ session: PostgresSession) throws -> LogPosition {
        try session.transaction { session in
            try VacuumPause.begin(session)
            try session.execute("SET LOCAL lock_timeout = '10s'")
            let lock = try session.query("SELECT epoch, position FROM entitled.log_head FOR UPDATE")
            let head = LogPosition(epoch: Int(try lock.int32(0, 0)), number: try lock.int64(0, 1))
            let added = try GenerationCatchUp(policy: policy)
                .run(after: position, upTo: head.number, catalog: catalog, session)
            if !added.isEmpty { throw CatalogCame() }
            for statement in CatchUpStatements.restoreCatalogs {
                try session.query(statement, [.int8Array(catalogs)])
            }
            try session.query(CatchUpStatements.endCatalogWalk, [.int8(catalogs.last ?? 0)])
            try session.execute(CatchUpStatements.moveChanged)
            try session.execute("SET LOCAL lock_timeout = '\(Self.lockTimeout)'")
            try session.execute(GenerationTables.swap)
            return head
        }
    }

    private static func isLockTimeout(_ error: any Error) -> Bool {
        let state = PostgresError.underlying(error)?.sqlState
        return state == .lockNotAvailable || state == .deadlockDetected
    }
}
