import AppStore
import EntitlementAPI
package import EntitlementDomain
package import EventStore
package import HTTPServer
import JSON
import JSONRPC
import Synchronization

/// The service: what came in over HTTP goes through verification, the event store and the typed methods, and back.
package final class EntitlementServer: Sendable {
    /// The product's version, as clients and the OpenRPC document see it.
    package static let version = "0.1.0"

    package let store: PostgresEventStore
    private let http: HTTPServerConfiguration
    private let listener = Mutex<HTTPListener?>(nil)
    private let router: ServiceRouter
    private let keys: KeyRing
    private let signingKeys: SigningKeyRing
    private let quarantine: Quarantine
    /// Heals the log from the App Store's own records; nil without credentials.
    package let reconciler: Reconciler?
    private let checkpoints: CheckpointKeeper
    private let checkpointInterval: Duration
    private let follower: CacheFollower
    private let metrics: ServiceMetrics
    private let door: ServiceDoor
    let readiness: Readiness
    let notifications: NotificationWatch
    private let shutdown: ShutdownConfiguration
    let log: ServiceLog
    private let background = Mutex<[Task<Void, Never>]>([])

    /// - Parameter clock: the time of day; a test or a scenario gives another one.
    /// - Throws: `X509Error` when the configured roots are none.
    package init(_ configuration: ServiceConfiguration, clock: @escaping @Sendable () -> Instant) throws {
        let cache = AnswerCache(configuration.cache)
        let store = PostgresEventStore(configuration.store, clock: clock) { cache.noteAppended($0) }
        let reads = AccountReads(store: store, cache: cache, clock: clock)
        let metrics = ServiceMetrics()
        let reader = StatementReader(
            verifier: try SignedStatementVerifier(configuration.verifier),
            policy: configuration.appStorePolicy
        )
        let keys = KeyRing(store: store, clock: clock)
        let signingKeys = SigningKeyRing(configuration.tokens.signingKeys)
        let checkpoints = CheckpointKeeper(
            store: store,
            keys: signingKeys,
            issuer: configuration.tokens.issuer,
            directory: configuration.checkpoints.directory,
            log: configuration.log,
            clock: clock
        )
        let clients =
            configuration.appStore.map {
                AppStoreClients(
                    $0,
                    apps: configuration.apps.keys,
                    transport: CountingTransport(transport: $0.transport, metrics: metrics),
                    reader: reader,
                    retries: AppStoreClients.interactiveRetries,
                    clock: clock
                )
            } ?? .none
        let consumption = ConsumptionResponder(
            clients: clients,
            answer: configuration.appStore?.consumption,
            metrics: metrics
        )
        reconciler = try configuration.appStore.map {
            try Reconciler(
                $0,
                apps: configuration.apps.keys,
                reader: reader,
                store: store,
                metrics: metrics,
                consumption: consumption,
                clock: clock
            )
        }
        let table = MethodTable.all(
            reader: reader,
            receipts: ReceiptReader(
                verifier: try ReceiptVerifier(configuration.verifier),
                policy: configuration.appStorePolicy
            ),
            receiptService: configuration.receiptService,
            receiptCompletion: configuration.receiptCompletion,
            reads: reads,
            metrics: metrics,
            signingKeys: signingKeys,
            tokenIssuer: configuration.tokens.issuer,
            clients: clients,
            checkpoints: checkpoints,
            clock: clock
        )
        let notifications = NotificationWatch(
            apps: Array(configuration.apps.keys),
            policy: configuration.policy,
            store: store,
            clock: clock
        )
        let stored = StoreMetrics(store: store, cache: cache, notifications: notifications)
        let readiness = Readiness(store: store, cache: cache, limits: configuration.readiness, log: configuration.log)
        let log = configuration.log
        let callLog = CallLog(log: log, scopes: table.scopes)
        let doorkeeper = Doorkeeper(keys: keys, metrics: metrics, log: callLog)
        metrics.collect { (cache.statistics.samples + store.standbySamples).map(\.family) }
        metrics.collect { stored.families + readiness.families + checkpoints.families + log.families }
        metrics.collect { ProcessMetrics.families + [Self.buildInfo] }
        self.metrics = metrics
        self.readiness = readiness
        self.notifications = notifications
        self.log = log
        shutdown = configuration.shutdown
        let document = table.document
        self.store = store
        follower = CacheFollower(store: store, cache: cache)
        self.keys = keys
        self.signingKeys = signingKeys
        self.checkpoints = checkpoints
        checkpointInterval = configuration.checkpoints.interval
        quarantine = Quarantine(reader: reader, store: store, metrics: metrics, log: log, clock: clock)
        router = ServiceRouter(
            rpc: RPCServer(
                methods: table.methods,
                limits: configuration.limits,
                interceptor: AccessInterceptor(scopes: table.scopes, metrics: metrics, log: callLog)
            ),
            quick: callLog.isVerbose ? nil : QuickAnswers(reads: reads, metrics: metrics),
            keys: keys,
            signingKeys: signingKeys,
            notifications: NotificationReceiver(
                reader: reader,
                store: store,
                metrics: metrics,
                watch: notifications,
                log: NotificationLog(log),
                consumption: consumption,
                clock: clock
            ),
            entitlements: EntitlementsDoor(lookups: Lookups(reads: reads), doorkeeper: doorkeeper),
            changes: ChangeStreams(store: store, doorkeeper: doorkeeper),
            metrics: metrics,
            stored: stored,
            openRPC: document.serialized(),
            requiresClientCertificates: configuration.requiresClientCertificates,
            readiness: readiness
        )
        door = ServiceDoor(router: router, metrics: metrics, isVerbose: callLog.isVerbose)
        http = configuration.http
    }

    /// The handler behind the HTTP server, for callers in the same process.
    package var handler: any HTTPHandler { door }

    /// Checks the database, reads the keys and begins to listen.
    ///
    /// - Returns: the port that was bound.
    /// - Throws: `StoreError` when the database is not there or not migrated; `HTTPServerError` when the port is taken.
    package func start() async throws -> Int {
        try await prepare()
        let listener = try HTTPListener.start(http, handler: door)
        self.listener.withLock { $0 = listener }
        metrics.collect { HTTPMetrics.families(listener.counters) + HTTPMetrics.families(listener.tlsValidity) }
        readiness.begin()
        var tasks = [
            every(.seconds(2)) { [keys] in try? await keys.refresh() },
            everyWriting(.seconds(2)) { [keys] in try? await keys.writeUses() },
            every(.seconds(5)) { [signingKeys] in await signingKeys.refresh() },
            everyWriting(.seconds(2)) { [store] in _ = try? await store.followCatalog(upTo: .seconds(60)) },
            everyWriting(.seconds(60)) { [quarantine] in try? await quarantine.retry() },
            everyWriting(checkpointInterval) { [checkpoints] in _ = try? await checkpoints.sign() },
            Task { [follower] in await follower.run() },
            // The first one is not an interval away: a service may be started more often than that.
            Task { [checkpoints, store] in if store.takesWrites { _ = try? await checkpoints.sign() } },
            watchNotifications(), watchReadiness(),
        ]
        if let reconciler, let interval = reconciler.interval {
            // At once, since notifications may have failed while no instance was up.
            tasks.append(Task { [self] in await reconcile(reconciler, .now) })
            tasks.append(every(interval) { [self] in await reconcile(reconciler, .due) })
        }
        background.withLock { $0 = tasks }
        store.start()
        log.note(.info, "started", [("version", Self.version), ("port", "\(listener.port)")])
        return Int(listener.port)
    }

    /// Waits until `/readyz` says yes, but not for ever.
    ///
    /// - Returns: whether it does.
    package func becomeReady(within limit: Duration = .seconds(10)) async -> Bool {
        let deadline = ContinuousClock.now + limit
        while ContinuousClock.now < deadline {
            if await readiness.checks().allSatisfy(\.isPassed) { return true }
            try? await Task.sleep(for: .milliseconds(20))
        }
        return false
    }

    /// What `start` does before it listens.
    package func prepare() async throws(StoreError) {
        try await store.checkSessions()
        try await store.checkSchema()
        try await keys.refresh()
        await signingKeys.refresh()
    }

    /// Serves another certificate from now on, without closing a connection.
    ///
    /// - Returns: when it holds; nil before `start`.
    /// - Throws: `HTTPServerError` when it cannot be used; the one that was served is served on.
    package func replace(_ tls: HTTPServerConfiguration.TLS) throws(HTTPServerError) -> TLSValidity? {
        try listener.withLock { $0 }?.replace(tls)
    }

    /// Says that the end is near, stops listening, finishes what was accepted, and closes the database's sessions.
    package func stop() async {
        readiness.end()
        if listener.withLock({ $0 }) != nil {
            log.note(.info, "stopping", [("notice", "\(shutdown.notice)"), ("timeLimit", "\(shutdown.timeLimit)")])
            try? await Task.sleep(for: shutdown.notice)
        }
        for task in background.withLock({ $0 }) { task.cancel() }
        // Long polls and streams end now, so that the listener need not wait for them.
        store.endWaiting()
        await listener.withLock { $0 }?.stop(within: shutdown.timeLimit)
        let store = store
        // A session that waits for a database that does not answer would keep the process for a minute.
        let isClosed = await TimeLimited.run(within: Self.closingTime) { await store.close() }
        if !isClosed { log.note(.warning, "the database does not answer, so sessions with it were left open") }
        if listener.withLock({ $0 }) != nil { log.note(.info, "stopped") }
        await log.flush()
    }

    /// How long the sessions with the database may take to close.
    private static let closingTime: Duration = .seconds(5)

    private static var buildInfo: MetricFamily {
        var family = MetricFamily("entitled_build_info", .gauge, "1, under the version of the program and of its log.")
        family.add([("version", version), ("schema", "\(SchemaMigrator.version)")], 1)
        return family
    }

    /// The same for work that writes, which a standby and an instance for look-ups leave to others.
    private func everyWriting(
        _ interval: Duration,
        _ work: @escaping @Sendable () async -> Void
    ) -> Task<Void, Never> {
        every(interval) { [store] in if store.takesWrites { await work() } }
    }

    private func every(_ interval: Duration, _ work: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: interval)
                if !Task.isCancelled { await work() }
            }
        }
    }
}
