import EntitlementDomain
import EventStore
import Postgres
import PostgresTesting
import Synchronization

/// A migrated database of one test, and stores over it under the service's role.
final class FeedDatabase: Sendable {
    let clock: TestClock
    let ownerConnectionString: String
    let serviceConnectionString: String
    private let ownerThread: PostgresThread
    private let stores = Mutex<[PostgresEventStore]>([])

    private init(_ test: TestDatabase, _ clock: TestClock) throws {
        self.clock = clock
        ownerConnectionString = test.ownerConnectionString
        serviceConnectionString = try test.connectionString(user: "entitled_service")
        ownerThread = PostgresThread(test.ownerConfiguration)
    }

    /// Lends a fresh migrated database with the sample catalog, and removes it afterwards.
    static func with<Value>(
        clock: TestClock = TestClock(),
        _ body: (FeedDatabase) async throws -> Value
    ) async throws -> Value {
        let test = try await TestDatabase.create()
        let database = try FeedDatabase(test, clock)
        do {
            try await database.owner { try SchemaMigrator.migrate($0) }
            let store = database.makeStore()
            _ = try await store.append(.catalog(try Sample.catalog()))
            let value = try await body(database)
            await database.close()
            try await test.drop()
            return value
        } catch {
            await database.close()
            try? await test.drop()
            throw error
        }
    }

    /// A store with sessions of its own, as another instance of the service would have.
    ///
    /// - Parameters:
    ///   - feedInterval: how often it looks for changes without a reason.
    ///   - onChanged: told what it appended.
    func makeStore(
        policy: Policy = Policy(),
        clock own: TestClock? = nil,
        feedInterval: Duration = .milliseconds(100),
        onChanged: @escaping @Sendable (AppendedChanges) -> Void = { _ in }
    ) -> PostgresEventStore {
        let clock = own ?? clock
        let store = PostgresEventStore(
            PostgresEventStore.Configuration(
                connectionString: serviceConnectionString,
                readers: 2,
                // A machine that is busy with other tests proves nothing.
                waitForReader: .seconds(60),
                policy: policy,
                feedInterval: feedInterval
            ),
            clock: { clock.now },
            onChanged: onChanged
        )
        stores.withLock { $0.append(store) }
        return store
    }

    /// Runs work on the owner's session, on its own thread.
    func owner<Value: Sendable>(_ body: @escaping @Sendable (PostgresSession) throws -> Value) async throws -> Value {
        try await ownerThread.run(body)
    }

    /// One number from the database, as its owner.
    func number(_ sql: String) async throws -> Int64 {
        try await owner { try $0.query(sql).int64(0, 0) }
    }

    /// A standby that is promoted goes on under a timeline of its own; here the log is made to remember another one.
    func simulateFailOver() async throws {
        try await owner { try $0.execute("UPDATE entitled.log_head SET timeline = 999") }
    }

    private func close() async {
        for store in stores.withLock({ $0 }) { await store.close() }
        await ownerThread.close()
    }
}

extension PostgresEventStore {
    /// All changes after a place, in pages.
    func allChanges(after place: FeedPosition? = nil, limit: Int = 100) async throws -> [FeedChange] {
        var query = FeedQuery(after: place, limit: limit)
        var changes: [FeedChange] = []
        while true {
            let page = try await self.changes(query)
            changes += page.changes
            if !page.hasMore { return changes }
            query.after = page.position
        }
    }

    /// The end of the feed.
    func feedEnd() async throws -> FeedPosition {
        try await changes(FeedQuery(limit: 1)).head
    }
}

/// Waits until a condition holds, for ten seconds at most.
///
/// - Returns: whether it came to hold.
func eventually(_ condition: () async throws -> Bool) async rethrows -> Bool {
    let deadline = ContinuousClock.now + .seconds(10)
    while ContinuousClock.now < deadline {
        if try await condition() { return true }
        try? await Task.sleep(for: .milliseconds(2))
    }
    return false
}

/// What a place was refused with; nil when it was not.
func refusal<Value>(_ body: () async throws -> Value) async -> (isEpochChanged: Bool, current: LogPosition)? {
    do {
        _ = try await body()
    } catch let error as StoreError {
        if case .positionNotReached(let isEpochChanged, let current) = error { return (isEpochChanged, current) }
    } catch {}
    return nil
}
