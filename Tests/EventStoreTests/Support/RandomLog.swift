import EntitlementDomain
import EventStore

/// A database with a log of random work under two catalogs.
enum RandomLog {
    static func with(
        _ seed: UInt64,
        requests: Int = 150,
        _ body: (StoreDatabase, PostgresEventStore) async throws -> Void
    ) async throws {
        try await StoreDatabase.with { database in
            let store = database.makeStore()
            _ = try await store.append(.catalog(Array(#"{"products": []}"#.utf8)))
            var work = RandomWork(seed: seed)
            for number in 0..<requests / 3 { _ = try await store.append(work.request("\(number)")) }
            _ = try await store.append(.catalog(try Sample.catalog().canonicalJSON))
            for number in requests / 3..<requests { _ = try await store.append(work.request("\(number)")) }
            try await body(database, store)
        }
    }
}
