package import AppStore
package import EntitlementDomain
import JSON
import Synchronization
import X509

/// A stand-in for the App Store: sells products, renews and refunds them, tells a service of it with Apple's schedule of
/// retries, and answers the App Store Server API. Time is its own, and is moved on by hand.
package final class FakeAppStore: Sendable {
    /// How it is set up.
    package struct Configuration: Sendable {
        package var app: FakeApp
        package var credentials: FakeCredentials
        /// Signs statements; the service must trust its root.
        package var signer: StatementSigner
        /// Signs what an injected forgery signs; nil: the same.
        package var stranger: StatementSigner?
        /// Where the virtual clock begins.
        package var startsAt: Instant
        /// Time as clients know it: tokens and rate limits go by it. Nil: the virtual clock.
        package var wallClock: (@Sendable () -> Instant)?

        /// Its ids begin behind this number: a store that is started anew beside a log that remembers an earlier one must not
        /// give the same ids again.
        package var idsAfter: UInt64 = 0

        package init(app: FakeApp = FakeApp(), credentials: FakeCredentials, signer: StatementSigner, startsAt: Instant)
        {
            self.app = app
            self.credentials = credentials
            self.signer = signer
            self.startsAt = startsAt
        }
    }

    /// How many notifications are on their way at a time.
    private static let parallelDeliveries = 8

    package let app: FakeApp
    private let state: Mutex<FakeStoreState>
    private let transport: any ServerAPITransport
    private let stranger: StatementSigner?
    private let wallClock: (@Sendable () -> Instant)?
    private let tokens: TokenCheck

    /// - Parameter transport: delivers notifications.
    package init(_ configuration: Configuration, transport: any ServerAPITransport) {
        app = configuration.app
        state = Mutex(
            FakeStoreState(
                app: configuration.app,
                signer: configuration.signer,
                now: configuration.startsAt,
                idsAfter: configuration.idsAfter
            )
        )
        self.transport = transport
        stranger = configuration.stranger
        wallClock = configuration.wallClock
        tokens = TokenCheck(credentials: configuration.credentials, bundleID: configuration.app.bundleID)
    }

    /// The virtual clock.
    package var now: Instant { state.withLock { $0.now } }

    /// Runs work on the state, alone.
    func with<Value: Sendable>(
        _ body: (inout sending FakeStoreState) throws(FakeStoreError) -> sending Value
    ) throws(FakeStoreError) -> Value {
        try state.withLock(body)
    }

    /// Looks at the state.
    func read<Value: Sendable>(_ body: (FakeStoreState) -> Value) -> Value {
        state.withLock { body($0) }
    }

    // MARK: Settings

    /// Where notifications of an environment go; nil: nowhere.
    package func setNotificationURL(_ url: String?, in environment: StoreEnvironment) {
        state.withLock { $0[environment].notificationURL = url }
    }

    /// Days of grace after a failed charge; nil: none.
    package func setGraceDays(_ days: Int64?) {
        state.withLock { $0.graceDays = days }
    }

    /// A limit for every endpoint in place of Apple's; nil: Apple's. Counting begins anew.
    package func setCallsPerHour(_ count: Int64?) {
        state.withLock {
            $0.limiter.reset()
            $0.limiter.callsPerHour = count
        }
    }

    /// Makes calls fail from now on.
    package func inject(_ fault: InjectedFault) {
        state.withLock { $0.faults.append(fault) }
    }

    /// Lets calls succeed again.
    package func clearFaults() {
        state.withLock { $0.faults = [] }
    }

    // MARK: Time

    /// Moves the clock on. What happens by itself until then happens at its time and in its order: renewals, failures,
    /// ends, deliveries and their repetitions.
    package func advance(to instant: Instant) async throws(FakeStoreError) {
        while true {
            let deliveries = try with { state throws(FakeStoreError) in try state.proceed(to: instant) }
            guard !deliveries.isEmpty else { return }
            await deliver(deliveries)
        }
    }

    /// Moves the clock on by some hours.
    package func advance(hours: Int64) async throws(FakeStoreError) {
        try await advance(to: now.advanced(byMilliseconds: hours * 3_600_000))
    }

    /// Sends what is due now.
    package func deliverDue() async throws(FakeStoreError) {
        try await advance(to: now)
    }

    private func deliver(_ due: [DueDelivery]) async {
        var rest = due[...]
        while !rest.isEmpty {
            let batch = rest.prefix(Self.parallelDeliveries)
            rest = rest.dropFirst(batch.count)
            await withTaskGroup(of: Void.self) { group in
                for delivery in batch {
                    group.addTask {
                        let result = await delivery.delivery.post(with: self.transport)
                        self.state.withLock {
                            $0.recordAttempt(result, index: delivery.index, in: delivery.environment)
                        }
                    }
                }
            }
        }
    }

    // MARK: Calls

    /// Answers a call of the API.
    ///
    /// - Parameter path: the segments behind the environment's.
    func answer(
        method: String,
        path: [String],
        query: [(name: String, value: String)],
        authorization: String?,
        body: [UInt8],
        in environment: StoreEnvironment
    ) -> FakeReply {
        let wall = wallClock?()
        return state.withLock { state in
            let wall = wall ?? state.now
            if let problem = tokens.problem(authorization: authorization, now: wall) {
                return FakeReply(FakeAnswer(status: 401, body: Array("Unauthenticated: \(problem)\n".utf8)))
            }
            guard let route = FakeRoute(method: method, path: path) else { return FakeReply(FakeAnswer(status: 404)) }
            let fault = state.takeFault(path: path.joined(separator: "/"))
            if let fault, let reply = fault.reply(now: wall) { return reply }
            if let until = state.limiter.count(route, in: environment, now: wall) {
                return FakeReply(FakeAnswer(code: 4_290_000, retryAfter: until.milliseconds))
            }
            let call = FakeCall(
                route: route,
                environment: environment,
                query: query,
                body: (try? JSONParser.parse(body))?.objectValue
            )
            return FakeReply(state.answer(call, fault: fault?.effect, stranger: stranger))
        }
    }
}
