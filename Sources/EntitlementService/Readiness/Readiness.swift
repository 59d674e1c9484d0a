import EventStore
import Synchronization

/// Whether this instance can do its work right now, and what hinders it.
final class Readiness: Sendable {
    private struct State {
        var isStopping = false
        /// Whether the feed is followed by now; before the start nobody does.
        var isStarted = false
        /// Whether the feed has been followed since the start.
        var hasFollowed = false
        /// Since when it is not; a new catalog interrupts it for a moment.
        var unfollowedSince: ContinuousClock.Instant?
    }

    private let store: PostgresEventStore
    private let cache: AnswerCache
    private let limits: ReadinessLimits
    private let database: Refreshed<StoreError?>
    private let state = Mutex(State())
    private let log: ServiceLog
    /// What the last look found; nil: nobody has looked yet.
    private let last = Mutex<[ReadinessCheck]?>(nil)

    init(store: PostgresEventStore, cache: AnswerCache, limits: ReadinessLimits, log: ServiceLog) {
        self.store = store
        self.cache = cache
        self.limits = limits
        self.log = log
        // Strangers may ask as often as they like.
        database = Refreshed(for: .milliseconds(250)) {
            do throws(StoreError) {
                try await store.check()
                return nil
            } catch {
                return error
            }
        }
    }

    /// From now on the change feed has to be followed.
    func begin() { state.withLock { $0.isStarted = true } }

    /// Not ready from now on, whatever else is in order.
    func end() { state.withLock { $0.isStopping = true } }

    /// Looks at everything, each time in the same order, and tells the log when something has changed.
    func checks() async -> [ReadinessCheck] {
        let state = state.withLock { $0 }
        let serving = ReadinessCheck("serving", state.isStopping ? "the service is shutting down" : nil)
        var (reachable, schema) = (ReadinessCheck("database"), ReadinessCheck("schema"))
        switch await database.value(within: limits.databaseTime) {
        case .some(.none): break
        case .some(.some(let error)):
            if case .schemaMismatch = error {
                schema = ReadinessCheck("schema", error.description)
            } else {
                reachable = ReadinessCheck("database", error.description)
            }
        case .none: reachable = ReadinessCheck("database", "no answer within \(limits.databaseTime)")
        }
        let checks = [serving, reachable, schema, feed(isStarted: state.isStarted), writer]
        let isNews = last.withLock { last in
            defer { last = checks }
            return last.map { $0.filter { !$0.isPassed }.map(\.name) } != checks.filter { !$0.isPassed }.map(\.name)
        }
        if isNews { tell(checks.filter { !$0.isPassed }) }
        return checks
    }

    private func tell(_ failed: [ReadinessCheck]) {
        if failed.isEmpty {
            log.note(.info, "ready")
        } else {
            // To begin to follow the feed takes a moment after each start.
            let isStarting = failed.allSatisfy { $0.name == "feed" } && !state.withLock { $0.hasFollowed }
            log.note(isStarting ? .info : .warning, "not ready", failed.map { ($0.name, $0.problem ?? "") })
        }
    }

    private func feed(isStarted: Bool) -> ReadinessCheck {
        guard cache.isOn, isStarted else { return ReadinessCheck("feed") }
        let lag = cache.statistics.lag
        let now = ContinuousClock.now
        let (hasFollowed, silence) = state.withLock { state in
            if lag != nil { state.hasFollowed = true }
            state.unfollowedSince = lag == nil ? state.unfollowedSince ?? now : nil
            return (state.hasFollowed, lag ?? state.unfollowedSince.map { now - $0 } ?? .zero)
        }
        if !hasFollowed { return ReadinessCheck("feed", "the change feed is not followed yet") }
        return ReadinessCheck(
            "feed",
            silence > limits.feedLag ? "the change feed has said nothing for \(silence)" : nil
        )
    }

    private var writer: ReadinessCheck {
        let wait = store.statistics.appender.longestWait
        return ReadinessCheck("writer", wait > limits.writerTime ? "a statement has waited for \(wait)" : nil)
    }

    /// What the last look found, as metrics.
    var families: [MetricFamily] {
        let checks = last.withLock { $0 } ?? []
        var single = MetricFamily(
            "entitled_ready_check",
            .gauge,
            "1 for each check of readyz that was passed when it was last made."
        )
        for check in checks { single.add([("check", check.name)], check.isPassed ? 1 : 0) }
        let isReady = !checks.isEmpty && checks.allSatisfy(\.isPassed)
        return [MetricFamily("entitled_ready", .gauge, "1 when all of them were.", isReady ? 1 : 0), single]
    }
}
