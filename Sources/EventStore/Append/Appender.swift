import EntitlementDomain
import Postgres
import Synchronization

/// The one ordered writer of an instance. Requests queue up while a group is being committed and go together in the
/// next one: a request alone is never delayed, many share one commit.
final class Appender: Sendable {
    /// The most requests in one transaction.
    static let maximumGroup = 256

    private struct Pending {
        var request: AppendRequest
        /// Whether the facts of the account that claims are asked for.
        var asks = false
        let arrived = ContinuousClock.now
        var finish: @Sendable (Result<Settled, any Error>) -> Void
    }

    /// What became of a request, and what was found of the account that claims.
    private typealias Settled = (outcome: AppendOutcome, claimant: Claimants.Facts?)

    private struct State {
        var queue: [Pending] = []
        var isRunning = false
        /// Which of the thread's sessions last wrote, counted from 1; another one checks the timeline first. A server
        /// process id would not do: a fail-over to another machine may give the same one again.
        var session = 0
        /// Certificate chains that this session has stored or found stored.
        var chains: Set<CertificateChain.ID> = []
        /// How many groups were written since the last one with something that was known.
        var groupsSinceKnown = 0
        /// The requests of the group that is being written, and since when the first of them has waited.
        var writing: (count: Int, arrived: ContinuousClock.Instant)?
        var groups = 0
        var requests = 0
        var busy: Duration = .zero
    }

    /// Chains remembered; one too many costs an insertion without effect.
    private static let rememberedChains = 1_024

    private let state = Mutex(State())
    private let thread: PostgresThread
    private let policy: Policy
    private let catalogs: CatalogCache
    private let optimism: OptimisticAppends
    private let clock: @Sendable () -> Instant
    private let codec = EvidenceCodec()
    private let onAppended: @Sendable (LogPosition) -> Void
    private let onChanged: @Sendable (AppendedChanges) -> Void

    /// - Parameters:
    ///   - onAppended: told the log's head after each group, when it is durable.
    ///   - onChanged: told what each group changed, when it is durable and before anybody else is.
    init(
        thread: PostgresThread,
        policy: Policy,
        catalogs: CatalogCache,
        optimism: OptimisticAppends,
        clock: @escaping @Sendable () -> Instant,
        onAppended: @escaping @Sendable (LogPosition) -> Void,
        onChanged: @escaping @Sendable (AppendedChanges) -> Void
    ) {
        self.thread = thread
        self.policy = policy
        self.catalogs = catalogs
        self.optimism = optimism
        self.clock = clock
        self.onAppended = onAppended
        self.onChanged = onChanged
    }

    /// Appends one request and returns when its events are durable.
    ///
    /// - Parameter asks: whether the outcome is to hold the facts of the account that claims.
    /// - Throws: `StoreError`; nothing of the request remains then, except that after a lost connection it may have been
    ///   committed: delivering it again is safe.
    func append(_ request: AppendRequest, asks: Bool = false) async throws -> AppendOutcome {
        var texts: StoredTexts = [:]
        let request = request.storing(codec, &texts)
        let settled: Settled = try await withCheckedThrowingContinuation { continuation in
            enqueue([Pending(request: request, asks: asks) { continuation.resume(with: $0) }])
        }
        var outcome = settled.outcome
        // What is durable does not fail because something else of the account cannot be read.
        outcome.claimant = try? settled.claimant?.snapshot()
        return outcome
    }

    /// Appends requests in their order, with nothing between them, and returns when all are durable.
    ///
    /// - Throws: as for one request; some of them may be in the log then.
    func append(_ requests: [AppendRequest]) async throws -> [AppendOutcome] {
        if requests.isEmpty { return [] }
        // The purchases of a receipt have one text between them.
        var texts: StoredTexts = [:]
        let requests = requests.map { $0.storing(codec, &texts) }
        return try await withCheckedThrowingContinuation { continuation in
            let batch = AppendBatch(count: requests.count) { continuation.resume(with: $0) }
            enqueue(
                requests.enumerated().map { place, request in
                    Pending(request: request) { batch.set($0.map(\.outcome), at: place) }
                }
            )
        }
    }

    private func enqueue(_ pending: [Pending]) {
        let starts = state.withLock { state in
            state.queue += pending
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { thread.enqueue { self.writeNext($0) } }
    }

    /// What waits now, and what was written so far.
    var statistics: AppenderStatistics {
        let now = ContinuousClock.now
        return state.withLock { state in
            AppenderStatistics(
                waiting: state.queue.count + (state.writing?.count ?? 0),
                longestWait: (state.writing?.arrived ?? state.queue.first?.arrived).map { now - $0 } ?? .zero,
                groups: state.groups,
                requests: state.requests,
                busy: state.busy
            )
        }
    }

    // MARK: On the writer's thread

    /// Writes what has gathered, and stays on the thread for what gathers meanwhile: the next group waits for nobody.
    private func writeNext(_ session: Result<PostgresSession, any Error>) {
        guard let group = nextGroup() else { return }
        let started = ContinuousClock.now
        commit(group, session)
        state.withLock { state in
            state.writing = nil
            state.groups += 1
            state.requests += group.count
            state.busy += ContinuousClock.now - started
        }
        thread.enqueue { self.writeNext($0) }
    }

    private func nextGroup() -> [Pending]? {
        state.withLock { state in
            if state.queue.isEmpty {
                state.isRunning = false
                return nil
            }
            let count = min(state.queue.count, Self.maximumGroup)
            let group = Array(state.queue[..<count])
            state.queue.removeFirst(count)
            state.writing = (count, group[0].arrived)
            return group
        }
    }

    private func commit(_ pending: [Pending], _ session: Result<PostgresSession, any Error>) {
        do {
            let settled = try write(pending, try session.get())
            for (item, settled) in zip(pending, settled) { item.finish(.success(settled)) }
            if let head = settled.last?.outcome.head { onAppended(head) }
        } catch {
            let failure = StoreError(error)
            // One request that the database refuses must not take the others of its group with it.
            if !failure.isTemporary, pending.count > 1 {
                for item in pending { commit([item], session) }
            } else {
                for item in pending { item.finish(.failure(failure)) }
            }
        }
    }

    private func write(_ pending: [Pending], _ session: PostgresSession) throws -> [Settled] {
        let number = thread.connectCount
        var (isNewSession, chains, quietGroups) = state.withLock { state in
            // After a fail-over, what was stored last may be gone.
            if state.session != number { state.chains = [] }
            return (state.session != number, state.chains, state.groupsSinceKnown)
        }
        var group = AppendGroup(
            requests: pending.map(\.request),
            asking: Set(pending.indices.filter { pending[$0].asks }),
            recordedAt: clock(),
            policy: policy,
            catalogs: catalogs,
            codec: codec
        )
        group.looksForStatements = pending.count < optimism.minimumRequests || quietGroups < optimism.quietGroups
        let known = chains
        func run() throws -> AppendGroup.Result {
            chains = known
            return try group.run(session, checksTimeline: isNewSession, knownChains: &chains)
        }
        let (outcomes, changes, claimants): AppendGroup.Result
        do {
            (outcomes, changes, claimants) = try run()
        } catch let error where AppendStatements.tellsOfKnown(error) {
            (group.looksForStatements, group.looksForEvidence) = (true, true)
            (outcomes, changes, claimants) = try run()
        }
        quietGroups = outcomes.contains(where: \.isDuplicate) ? 0 : quietGroups + 1
        if chains.count > Self.rememberedChains { chains = [] }
        state.withLock { state in
            state.session = number
            state.chains = chains
            state.groupsSinceKnown = quietGroups
        }
        onChanged(changes)
        return outcomes.enumerated().map { place, outcome in (outcome, claimants[place]) }
    }
}

private typealias StoredTexts = [[UInt8]: EvidenceCodec.Encoded]

extension AppendRequest {
    /// The same request with its texts in the form that is stored.
    ///
    /// - Parameter texts: the forms that were made already, by digest.
    fileprivate func storing(_ codec: EvidenceCodec, _ texts: inout StoredTexts) -> AppendRequest {
        guard case .statement(var statement, let claim) = self else { return self }
        for index in statement.evidence.indices {
            let digest = statement.evidence[index].digest
            let stored = texts[digest] ?? codec.encode(statement.evidence[index].text)
            texts[digest] = stored
            statement.evidence[index].stored = stored
        }
        return .statement(statement, claim: claim)
    }
}
