package import EntitlementDomain
import Postgres

/// The log and its projections in PostgreSQL: append, read, keys.
package final class PostgresEventStore: Sendable {
    package let policy: Policy
    let isReadOnly: Bool
    let pool: PostgresPool
    let multiplexer: PostgresMultiplexer
    private let gatherer: SnapshotGatherer
    /// The session that a cache follows the feed on: slow reads of others must not make it late.
    let following: PostgresThread
    let appender: Appender
    let writer: PostgresThread
    let catalogs: CatalogCache
    /// How sessions beside the pool's are made.
    let database: PostgresConfiguration
    let keeper: FeedKeeper
    let feedReads = FeedReads()
    let clock: @Sendable () -> Instant

    /// - Parameters:
    ///   - clock: gives the time of recording.
    ///   - onChanged: told what this store's appends changed, when it is durable and before those who appended are answered.
    package init(
        _ configuration: Configuration,
        clock: @escaping @Sendable () -> Instant,
        onChanged: @escaping @Sendable (AppendedChanges) -> Void = { _ in }
    ) {
        policy = configuration.policy
        isReadOnly = configuration.isReadOnly
        var settings = SessionProbe.settings
        settings["role"] = configuration.role
        // Everything here takes less time than it would take to compile it.
        settings["jit"] = "off"
        let database = PostgresConfiguration(
            connectionString: configuration.connectionString,
            commandTimeout: .seconds(60),
            settings: settings
        )
        let catalogs = CatalogCache()
        let keeper = FeedKeeper(
            database,
            policy: configuration.policy,
            catalogs: catalogs,
            isReadOnly: configuration.isReadOnly,
            interval: configuration.feedInterval,
            clock: clock
        )
        self.catalogs = catalogs
        self.database = database
        self.keeper = keeper
        self.clock = clock
        writer = PostgresThread(Self.writing(database))
        pool = PostgresPool(
            database,
            size: configuration.readers,
            acquireTimeout: configuration.waitForReader
        )
        multiplexer = PostgresMultiplexer(database)
        gatherer = SnapshotGatherer(database)
        following = PostgresThread(database, label: "entitled.follow")
        appender = Appender(
            thread: writer,
            policy: configuration.policy,
            catalogs: catalogs,
            optimism: configuration.optimisticAppends,
            clock: clock,
            onAppended: { keeper.wrote(FeedPosition($0)) },
            onChanged: onChanged
        )
    }

    /// The writer looks up a few keys at a time, always by index. A plan made while the tables were small, or before
    /// they were analyzed, would read all of them for each group.
    private static func writing(_ database: PostgresConfiguration) -> PostgresConfiguration {
        var database = database
        for setting in ["enable_hashjoin", "enable_mergejoin", "enable_seqscan"] {
            database.settings[setting] = "off"
        }
        return database
    }

    /// Checks that the database answers, has the schema that is needed, and takes writes, unless this store is for reading.
    package func check() async throws(StoreError) {
        let isReadOnly = isReadOnly
        try await reading { session in
            try SchemaMigrator.check(session)
            if !isReadOnly { try Self.checkTakesWrites(session) }
        }
    }

    /// Checks that the database answers and has the schema that is needed.
    package func checkSchema() async throws(StoreError) {
        try await reading { try SchemaMigrator.check($0) }
    }

    /// Closes all sessions; what is under way is finished first.
    package func close() async {
        await keeper.stop()
        await pool.close()
        await multiplexer.close()
        await gatherer.close()
        await following.close()
        await writer.close()
    }

    /// Appends one request and returns when its events are durable.
    ///
    /// - Parameter asks: whether the outcome is to hold the facts of the account that claims (`AppendOutcome.claimant`).
    package func append(_ request: AppendRequest, asks: Bool = false) async throws(StoreError) -> AppendOutcome {
        try refuseWhenReadOnly()
        do {
            return try await appender.append(request, asks: asks)
        } catch {
            throw StoreError(error)
        }
    }

    /// Appends requests in their order and returns when the events of all are durable. They do not share one fate: after
    /// an error some may be in the log, and appending them again is safe.
    package func append(_ requests: [AppendRequest]) async throws(StoreError) -> [AppendOutcome] {
        try refuseWhenReadOnly()
        do {
            return try await appender.append(requests)
        } catch {
            throw StoreError(error)
        }
    }

    /// The facts of an account.
    ///
    /// - Parameter reach: how much of long lines to read.
    package func snapshot(
        ofAccount account: AccountID,
        in environment: StoreEnvironment,
        reach: LineReach = .head
    ) async throws(StoreError) -> Snapshot {
        if reach == .head {
            let result = await withCheckedContinuation { continuation in
                readSnapshot(ofAccount: account, in: environment) { continuation.resume(returning: $0) }
            }
            return try result.get()
        }
        do {
            let result = try await multiplexer.query(
                SnapshotReader.byOwner[reach],
                SnapshotReader.parameters(ofAccount: account, in: environment)
            )
            return try await snapshot(try SnapshotReader.facts(result, reach: reach))
        } catch {
            throw StoreError(error)
        }
    }

    /// Reads the facts of an account, from the heads of long lines, together with those that others ask for at the same
    /// time: look-ups are short and many. It cannot be cancelled, since it shares its statement with others.
    ///
    /// - Parameter completion: is called on a thread that goes on reading for others, so what it does should be short.
    package func readSnapshot(
        ofAccount account: AccountID,
        in environment: StoreEnvironment,
        _ completion: @escaping @Sendable (Result<Snapshot, StoreError>) -> Void
    ) {
        gatherer.read(account, in: environment) { result in
            let facts: SnapshotFacts
            do {
                facts = try result.get().read()
            } catch {
                return completion(.failure(StoreError(error)))
            }
            if let known = self.catalogs.known(at: facts.catalogPosition) {
                let snapshot = Snapshot(account: facts.account, catalog: known.catalog, position: facts.position)
                return completion(.success(snapshot))
            }
            Task {
                do {
                    completion(.success(try await self.snapshot(facts)))
                } catch {
                    completion(.failure(StoreError(error)))
                }
            }
        }
    }

    private typealias SnapshotFacts = (account: Account, position: LogPosition, catalogPosition: Int64)

    /// Puts the catalog to the facts that belong to it.
    private func snapshot(_ facts: SnapshotFacts) async throws -> Snapshot {
        let catalog: Catalog
        if let known = catalogs.known(at: facts.catalogPosition) {
            catalog = known.catalog
        } else {
            let catalogs = catalogs
            catalog = try await reading { try catalogs.catalog(at: facts.catalogPosition, $0).catalog }
        }
        return Snapshot(account: facts.account, catalog: catalog, position: facts.position)
    }

    /// The facts of many accounts, all of one instant.
    ///
    /// - Parameters:
    ///   - accounts: at least one.
    ///   - reach: how much of long lines to read.
    package func snapshots(
        ofAccounts accounts: Set<AccountID>,
        in environment: StoreEnvironment,
        reach: LineReach = .head
    ) async throws(StoreError) -> Snapshots {
        let reader = SnapshotReader(catalogs: catalogs, reach: reach)
        return try await reading { try reader.snapshots(ofAccounts: accounts, in: environment, $0) }
    }

    /// The facts of many accounts, all of one instant at which others are as they were at a place in the feed.
    ///
    /// - Parameter accounts: at least one.
    /// - Returns: nil when one of the others has changed, or may have.
    package func snapshots(
        ofAccounts accounts: Set<AccountID>,
        in environment: StoreEnvironment,
        unlessChanged others: [AccountID],
        since place: FeedPosition,
        _ basis: FollowedPage.Basis,
        reach: LineReach = .head
    ) async throws(StoreError) -> Snapshots? {
        let reader = SnapshotReader(catalogs: catalogs, reach: reach)
        return try await reading {
            try reader.snapshots(
                ofAccounts: accounts,
                in: environment,
                unlessChanged: others,
                since: place,
                basis,
                $0
            )
        }
    }

    /// The facts of the lines under an original transaction id, whoever owns them.
    ///
    /// - Parameter reach: how much of long lines to read.
    package func snapshot(
        ofLine id: String,
        in environment: StoreEnvironment,
        reach: LineReach = .head
    ) async throws(StoreError) -> Snapshot {
        let reader = SnapshotReader(catalogs: catalogs, reach: reach)
        return try await reading { try reader.snapshot(ofLine: id, in: environment, $0) }
    }

    /// The facts of the lines under several original transaction ids, whoever owns them.
    ///
    /// - Parameter reach: how much of long lines to read.
    package func snapshot(
        ofLines ids: Set<String>,
        in environment: StoreEnvironment,
        reach: LineReach = .head
    ) async throws(StoreError) -> Snapshot {
        let reader = SnapshotReader(catalogs: catalogs, reach: reach)
        return try await reading { try reader.snapshot(ofLines: ids, in: environment, $0) }
    }

    /// The facts of a key as a cut through the log shows them, folded from its events.
    package func snapshot(
        of subject: EventQuery.Subject,
        in environment: StoreEnvironment,
        knownAt: KnownAt
    ) async throws(StoreError) -> Snapshot {
        let reader = HistoryReader(catalogs: catalogs)
        return try await reading { try reader.snapshot(of: subject, in: environment, knownAt: knownAt, $0) }
    }

    /// The facts of many accounts as a cut through the log shows them, folded from its events.
    package func snapshots(
        ofAccounts accounts: Set<AccountID>,
        in environment: StoreEnvironment,
        knownAt: KnownAt
    ) async throws(StoreError) -> Snapshots {
        let reader = HistoryReader(catalogs: catalogs)
        return try await reading { try reader.snapshots(of: accounts, in: environment, knownAt: knownAt, $0) }
    }

    /// The last position that a cut through the log takes in.
    package func position(of knownAt: KnownAt) async throws(StoreError) -> LogPosition {
        try await reading { try LogCut.position(of: knownAt, $0) }
    }

    /// A page of the log.
    package func events(_ query: EventQuery) async throws(StoreError) -> EventPage {
        try await reading { try EventReader().page(query, $0) }
    }

    /// Where the log ends.
    package func position() async throws(StoreError) -> LogPosition {
        try await reading { try EventReader().head($0) }
    }

    /// The catalog in force as JSON; nil before the first.
    package func catalogJSON() async throws(StoreError) -> [UInt8]? {
        let catalogs = catalogs
        return try await reading { session in
            try catalogs.catalog(at: try EventReader().catalogPosition(session), session).json
        }
    }

    /// The catalog in force; the empty one before the first.
    package func catalog() async throws(StoreError) -> Catalog {
        let catalogs = catalogs
        return try await reading { session in
            try catalogs.catalog(at: try EventReader().catalogPosition(session), session).catalog
        }
    }

    /// Brings the projection `entitlements` to the catalog in force; a catalog that was appended has done it for the
    /// first thousand lines.
    ///
    /// - Parameter limit: how long to work on it now.
    /// - Returns: whether all rows follow the catalog.
    package func followCatalog(upTo limit: Duration) async throws(StoreError) -> Bool {
        let projection = CatalogProjection(policy: policy, catalogs: catalogs)
        let deadline = ContinuousClock.now.advanced(by: limit)
        while true {
            // A session is given back now and then: reads need it too.
            let turn = min(deadline, ContinuousClock.now.advanced(by: .milliseconds(250)))
            if try await reading({ try projection.proceed(until: turn, $0) }) { return true }
            if ContinuousClock.now >= deadline { return false }
        }
    }

    /// All API keys, also those that are expired or revoked. The database's owner makes and revokes them
    /// (`PostgresSession.addKey`).
    package func keys() async throws(StoreError) -> [APIKeyRecord] {
        try await reading { try APIKeyTable.list($0) }
    }

    /// Writes when keys were last used; at most once a minute for each key, however many instances do.
    package func recordKeyUses(_ uses: [(keyID: String, at: Instant)]) async throws(StoreError) {
        try await reading { try APIKeyTable.recordUses(uses, $0) }
    }

    /// Keeps a notification aside that is well formed and cannot be verified now.
    ///
    /// - Throws: `unavailable` when the quarantine is full.
    package func park(_ signedPayload: String, reason: String, at instant: Instant) async throws(StoreError) {
        try refuseWhenReadOnly()
        let isParked = try await reading { try QuarantineTable.park(signedPayload, reason: reason, at: instant, $0) }
        if !isParked { throw .unavailable("the quarantine is full (\(QuarantineTable.limit) notifications)") }
    }

    /// The notifications that are kept aside, oldest first.
    package func parked() async throws(StoreError) -> [String] {
        try await reading { try QuarantineTable.all($0) }
    }

    /// Takes a notification out of the quarantine.
    package func unpark(_ signedPayload: String) async throws(StoreError) {
        try await reading { try QuarantineTable.remove(signedPayload, $0) }
    }

    func reading<Value: Sendable>(
        _ body: @escaping @Sendable (PostgresSession) throws -> Value
    ) async throws(StoreError) -> Value {
        do {
            return try await pool.withSession(body)
        } catch {
            throw StoreError(error)
        }
    }
}
