import EntitlementDomain
import EventStore
import Postgres
import PostgresTesting
import Synchronization

/// A migrated database of one test, stores over it, and its owner's session.
final class StoreDatabase: Sendable {
    /// The role that the service runs as.
    static let serviceRole = "entitled_service"

    let ownerConnectionString: String
    private let serviceConnectionString: String
    private let ownerThread: PostgresThread
    private let stores = Mutex<[PostgresEventStore]>([])

    /// - Parameters:
    ///   - owner: a connection string of the database's owner.
    ///   - service: the same as the service's role.
    init(owner: String, service: String) {
        ownerConnectionString = owner
        serviceConnectionString = service
        ownerThread = PostgresThread(PostgresConfiguration(connectionString: owner, applicationName: "entitled-tests"))
    }

    /// Lends a fresh migrated database, and removes it afterwards.
    static func with<Value>(_ body: (StoreDatabase) async throws -> Value) async throws -> Value {
        let test = try await TestDatabase.create()
        let database = StoreDatabase(
            owner: test.ownerConnectionString,
            service: try test.connectionString(user: serviceRole)
        )
        do {
            try await database.owner { try SchemaMigrator.migrate($0) }
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

    /// A store with sessions of its own, as another instance of the service would have; as the service's role.
    ///
    /// The first and every other one take all requests for new, and are corrected by the database where they are not.
    func makeStore(policy: Policy = Policy(), readers: Int = 2) -> PostgresEventStore {
        let isOptimistic = stores.withLock { $0.count.isMultiple(of: 2) }
        let store = PostgresEventStore(
            PostgresEventStore.Configuration(
                connectionString: serviceConnectionString,
                readers: readers,
                // A machine that is busy with other tests proves nothing.
                waitForReader: .seconds(60),
                policy: policy,
                optimisticAppends: isOptimistic ? .always : OptimisticAppends()
            ),
            clock: { Sample.recordedAt }
        )
        stores.withLock { $0.append(store) }
        return store
    }

    /// Several such stores.
    func makeStores(_ count: Int, policy: Policy = Policy()) -> [PostgresEventStore] {
        (0..<count).map { _ in makeStore(policy: policy) }
    }

    /// Runs work on the owner's session, on its own thread.
    func owner<Value: Sendable>(_ body: @escaping @Sendable (PostgresSession) throws -> Value) async throws -> Value {
        try await ownerThread.run(body)
    }

    /// Runs work on a new session of the service's role, on a thread of its own.
    func service<Value: Sendable>(_ body: @escaping @Sendable (PostgresSession) throws -> Value) async throws -> Value {
        try await PostgresThread.withSession(PostgresConfiguration(connectionString: serviceConnectionString), body)
    }

    /// One number from the database.
    func count(_ sql: String) async throws -> Int64 {
        try await owner { try $0.query(sql).int64(0, 0) }
    }

    /// The pseudonym that an account has in the log; nil: none.
    func pseudonym(
        of account: AccountID?,
        in environment: StoreEnvironment = .production
    ) async throws -> AccountID? {
        guard let account else { return nil }
        return try await owner { session in
            let found = try session.query(
                "SELECT pseudonym FROM entitled.account_names WHERE account = $1::uuid AND environment = $2::text",
                [.uuid(UUIDBytes(high: account.high, low: account.low)), .text(environment.rawValue)]
            )
            return found.isEmpty ? nil : AccountID(high: try found.uuid(0, 0).high, low: try found.uuid(0, 0).low)
        }
    }

    /// All events, read back by binary COPY.
    func events() async throws -> [EventRecord] {
        try await owner { session in
            var events: [EventRecord] = []
            try session.copyOutRows(
                "COPY (SELECT \(EventRecord.columns) FROM entitled.events ORDER BY position) "
                    + "TO STDOUT WITH (FORMAT binary)"
            ) { events.append(try EventRecord($0)) }
            return events
        }
    }

    func close() async {
        for store in stores.withLock({ $0 }) { await store.close() }
        await ownerThread.close()
    }
}
