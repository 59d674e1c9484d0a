import EntitlementDomain
import Postgres
import Synchronization

/// Keeps the feed of an instance going: looks where it ends, brings the clock's changes into it, walks over it after a new
/// catalog, and wakes the other instances.
///
/// It looks on a session of its own, some times a second, and at once when there is a reason: this instance has appended,
/// another one has said that it has, somebody waits, or an account is due.
final class FeedKeeper: Sendable {
    /// The least time between two looks: reasons come in crowds.
    private static let spacing: Duration = .milliseconds(20)
    /// How often to look at a standby, where nobody can be told of anything.
    private static let standbyInterval: Duration = .milliseconds(25)
    /// How often to look and to wake others in a second, at most, follows from `spacing`; how long to leave the database
    /// alone after an error.
    private static let pause: Duration = .milliseconds(500)

    private struct State {
        var task: Task<Void, Never>?
        var listening: Task<Void, Never>?
        /// Whether the task goes on without waiters and does the clock's work.
        var isKeeping = false
        var isStopped = false
        /// Whether other instances have not been told of what was written here.
        var hasNews = false
        /// Whether the database was a standby at the last look, and how far behind.
        var isStandby = false
        var replayLag: Duration?
    }

    let watch = HeadWatch()
    private let state = Mutex(State())
    private let alarm = Alarm()
    private let thread: PostgresThread
    private let configuration: PostgresConfiguration
    private let clock: @Sendable () -> Instant
    private let work: ClockWork
    private let walk: FeedWalk
    /// Whether nothing is to be written.
    private let isReadOnly: Bool
    /// How often to look without a reason.
    private let interval: Duration

    init(
        _ configuration: PostgresConfiguration,
        policy: Policy,
        catalogs: CatalogCache,
        isReadOnly: Bool = false,
        interval: Duration,
        clock: @escaping @Sendable () -> Instant
    ) {
        self.configuration = configuration
        self.clock = clock
        self.isReadOnly = isReadOnly
        self.interval = interval
        thread = PostgresThread(configuration, label: "entitled.feed")
        work = ClockWork(policy: policy, catalogs: catalogs)
        walk = FeedWalk(policy: policy, catalogs: catalogs)
    }

    /// Whether the database was a standby at the last look.
    var isStandby: Bool { state.withLock { $0.isStandby } }

    /// How long ago the newest change that a standby shows was made; nil: no standby, or it shows all it has received.
    var replayLag: Duration? { state.withLock { $0.replayLag } }

    // MARK: What others tell

    /// Notes what this instance has written; it is durable.
    func wrote(_ head: FeedPosition) {
        watch.note(head)
        let rings = state.withLock { state in
            state.hasNews = true
            return state.isKeeping
        }
        if rings { alarm.ring() }
    }

    /// Sees to it that somebody looks while waiters wait.
    func waiterCame() {
        let starts = state.withLock { state in
            if state.task != nil || state.isStopped { return false }
            state.task = Task { await self.run() }
            return true
        }
        if !starts { alarm.ring() }
    }

    // MARK: Life

    /// Begins to look and to do the clock's work.
    func start() {
        state.withLock { state in
            guard !state.isStopped, !state.isKeeping else { return }
            state.isKeeping = true
            if state.task == nil { state.task = Task { await self.run() } }
            state.listening = Task { [configuration, alarm] in
                await WakeUpListener(configuration).run { alarm.ring() }
            }
        }
        alarm.ring()
    }

    /// Ends all waiting: those who wait go on with what there is.
    func endWaiting() {
        watch.end()
    }

    /// Ends everything.
    func stop() async {
        watch.end()
        let tasks = state.withLock { state in
            state.isStopped = true
            return [state.task, state.listening].compactMap(\.self)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
        await thread.close()
    }

    // MARK: Work

    /// Brings into the feed what the clock has changed by now; for a reader that must not miss it.
    ///
    /// - Returns: whether the feed may have other changes now, brought by whomever; false where nothing can be written.
    @discardableResult
    func doClockWork() async throws -> Bool {
        // The changes come with the primary's.
        if isReadOnly || isStandby { return false }
        let now = clock()
        let work = work
        // As many batches as a reader should wait for.
        for _ in 0..<4 {
            let outcome = try await thread.run { try work.run(at: now, $0) }
            if let head = outcome.head { wrote(head) }
            if !outcome.hasMore { break }
        }
        return true
    }

    private func run() async {
        var hasAdopted = false
        while !Task.isCancelled {
            var rest = interval
            let isKeeping = state.withLock { $0.isKeeping }
            let started = ContinuousClock.now
            do {
                let (head, lag) = try await thread.run { session in
                    (try FeedReader.head(session), try StandbyLag.read(session))
                }
                watch.note(head.position, isRead: true)
                state.withLock { state in
                    state.isStandby = lag != .primary
                    state.replayLag = lag.duration
                }
                if lag != .primary {
                    rest = Self.standbyInterval
                } else if isKeeping, !isReadOnly {
                    if !hasAdopted {
                        try await thread.run { [walk, clock] in try walk.adoptPolicy(at: clock(), $0) }
                        hasAdopted = true
                    }
                    rest = try await keep(head)
                }
            } catch {
                rest = Self.pause
            }
            if endsWithoutWaiters() { return }
            await alarm.sleep(upTo: rest)
            let earliest = started + Self.spacing
            if earliest > .now { try? await Task.sleep(until: earliest, clock: .continuous) }
        }
    }

    /// Does what there is to do besides looking.
    ///
    /// - Returns: how long there is nothing to do.
    private func keep(_ head: FeedReader.Head) async throws -> Duration {
        var rest = interval
        if let dueAt = head.dueAt {
            let wait = dueAt.milliseconds - clock().milliseconds
            if wait <= 0 {
                try await doClockWork()
            } else if wait < 100 {
                rest = .milliseconds(wait)
            }
        }
        if head.needsWalk {
            let walk = walk
            let now = clock()
            let outcome = try await thread.run { try walk.step(at: now, $0) }
            if let head = outcome.head { wrote(head) }
            // Between two batches appends have the log's lock to themselves for a while.
            rest = min(rest, .milliseconds(30))
        }
        let hasNews = state.withLock { state in
            defer { state.hasNews = false }
            return state.hasNews
        }
        if hasNews { try await thread.run { try $0.notify(WakeUpListener.channel) } }
        return rest
    }

    /// Ends the task when nobody needs it; under the lock, so that a waiter who comes now starts another one.
    private func endsWithoutWaiters() -> Bool {
        state.withLock { state in
            if state.isKeeping || watch.hasWaiters { return false }
            state.task = nil
            return true
        }
    }
}
