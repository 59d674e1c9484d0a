import Dispatch
import Postgres

/// Sessions that see the same snapshot of the database and work on it side by side.
enum SnapshotTeam {
    /// Runs work on several sessions, each in a read-only transaction; all of them see what the first one sees.
    ///
    /// - Parameters:
    ///   - prepare: runs first, on the first session; all get what it returns.
    ///   - body: runs on every session.
    /// - Returns: what `prepare` returned.
    /// - Throws: the first error of any of them; the work of the others is cancelled.
    @discardableResult
    static func run<Plan: Sendable>(
        _ configuration: PostgresConfiguration,
        count: Int,
        prepare: @escaping @Sendable (PostgresSession) throws -> Plan,
        body: @escaping @Sendable (PostgresSession, Plan) throws -> Void
    ) async throws -> Plan {
        let (announcements, announce) = AsyncStream<(plan: Plan, snapshot: String?)>.makeStream()
        let members = max(count, 1) - 1
        // The first session keeps the snapshot alive until all others have taken it.
        let joined = DispatchGroup()
        for _ in 0..<members { joined.enter() }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                defer { announce.finish() }
                try await PostgresThread.withSession(configuration) { session in
                    try session.transaction(.snapshot) { session in
                        let plan = try prepare(session)
                        let snapshot =
                            members == 0 ? nil : try session.query("SELECT pg_export_snapshot()").text(0, 0)
                        announce.yield((plan, snapshot))
                        joined.wait()
                        try body(session, plan)
                    }
                }
            }
            var found: Plan?
            for await (plan, snapshot) in announcements.prefix(1) {
                found = plan
                for _ in 0..<members {
                    group.addTask { try await join(configuration, snapshot ?? "", joined) { try body($0, plan) } }
                }
            }
            try await group.waitForAll()
            guard let found else { throw StoreError.failed("the first session ended without a plan") }
            return found
        }
    }

    private static func join(
        _ configuration: PostgresConfiguration,
        _ snapshot: String,
        _ joined: DispatchGroup,
        _ body: @escaping @Sendable (PostgresSession) throws -> Void
    ) async throws {
        // Leaves once, also when the session cannot be made, or the first one would wait for ever.
        let once = OnceLeft(joined)
        defer { once.leave() }
        try await PostgresThread.withSession(configuration) { session in
            try session.transaction(.snapshot) { session in
                try session.execute("SET TRANSACTION SNAPSHOT '\(snapshot)'")
                once.leave()
                try body(session)
            }
        }
    }
}
