import Postgres
import Testing

@testable import EventStore

/// How names are looked up while nobody was erased yet, as far as the planner knows.
@Suite struct NameStatementsTests {
    /// Else every new account would cost a look at each account that was erased since the last ANALYZE.
    @Test func erasedAccountsAreFoundByTheirDigest() async throws {
        try await StoreDatabase.with { database in
            let plan = try await database.owner { session in
                try session.query("ANALYZE entitled.erased_accounts")
                for setting in ["enable_hashjoin", "enable_mergejoin", "enable_seqscan"] {
                    try session.query("SET \(setting) = off")
                }
                try session.query("PREPARE find_names (uuid[], text[]) AS \(NameStatements.find.sql)")
                try session.query("SET plan_cache_mode = force_generic_plan")
                let result = try session.query("EXPLAIN EXECUTE find_names ('{}', '{}')")
                return try result.rows.map { try result.text($0, 0) }
            }
            #expect(plan.contains { $0.contains("Index Cond: (digest = sha256(") }, "\(plan.joined(separator: "\n"))")
            #expect(!plan.contains { $0.contains("Join Filter") }, "\(plan.joined(separator: "\n"))")
        }
    }
}
