import EntitlementDomain
package import Foundation
import Synchronization

/// Load from everybody at once, in the way of those who send it: statements come in any order, some of them twice at the same
/// moment and again later, to any instance; what is not acknowledged is sent until it is; and what the service answers is
/// compared with what it has acknowledged.
///
/// Every worker has a thread of its own, and its own connections.
package final class Traffic: Sendable {
    struct State: Sendable {
        var pool: TrafficPool
        var pace: TrafficPace
        var record = TrafficRecord()
        /// The acknowledgements of the last period of an account, for look-ups: the newest, and a sample of the old.
        var recent: [TrafficRecord.Acknowledgement] = []
        var recentPlace = 0
        /// Spenders whose coins are there.
        var spenders: Set<Int> = []
        var nextSpend = 0
        /// Spends that were sent and not answered.
        var openSpends: [Int] = []
        var cursor: String?
        var working = 0
    }

    package let options: TrafficOptions
    /// The purchases: three monthly periods of each account, the last of which began in the last four weeks.
    package let plan: LoadPlan
    let signer: StatementSigner
    let targets: @Sendable () -> [TrafficOptions.Target]
    let state: Mutex<State>

    static let accounts = 10_000_000
    /// How many accounts have coins, and how many coins each of them buys.
    package static let spenders = 16
    package static let coins = 100_000
    /// How many acknowledgements are remembered for look-ups.
    static let remembered = 4_096

    /// - Parameters:
    ///   - now: the time of day; the purchases lie around it.
    ///   - targets: the instances there are at this moment.
    package init(
        _ options: TrafficOptions,
        signer: StatementSigner,
        now: Date = Date(),
        targets: @escaping @Sendable () -> [TrafficOptions.Target]
    ) {
        self.options = options
        self.signer = signer
        self.targets = targets
        var plan = LoadPlan(accounts: Self.accounts, seed: options.seed)
        plan.periods = 3
        let day: Int64 = 86_400_000
        let start = Instant(milliseconds: Int64(now.timeIntervalSince1970 * 1_000) - 29 * day)
        plan.start = start.adding(CalendarDuration(months: -2))
        self.plan = plan
        state = Mutex(State(pool: TrafficPool(options), pace: TrafficPace(rate: options.rate)))
    }

    /// What came of it so far.
    package var record: TrafficRecord { state.withLock { $0.record } }

    /// The ids of the transactions that were acknowledged.
    package var acknowledgedTransactions: [String] {
        record.acknowledged.map { index in
            let (period, number) = index.quotientAndRemainder(dividingBy: plan.accounts)
            return plan.transactionID(number, period: period)
        }
    }

    /// Begins to measure pauses and slowness anew.
    package func forgetPause() {
        state.withLock { state in
            state.record.longestPause = .zero
            state.record.slowest = .zero
            state.record.lastAcknowledgedAt = .now
        }
    }

    /// Works until it is told to end, and then until everything that was sent is acknowledged.
    ///
    /// - Parameters:
    ///   - isOver: asked all the time, from many threads.
    ///   - draining: how long to go on for what is not acknowledged yet.
    /// - Returns: whether everything was acknowledged.
    @discardableResult
    package func run(draining: Duration = .seconds(60), until isOver: @escaping @Sendable () -> Bool) async -> Bool {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<options.workers {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        Thread.detachNewThread {
                            var worker = TrafficWorker(self, number: number)
                            while !isOver() { worker.work() }
                            let deadline = ContinuousClock.now + draining
                            self.state.withLock { $0.pool.isClosing = true }
                            while worker.finishOne(), ContinuousClock.now < deadline {}
                            continuation.resume()
                        }
                    }
                }
            }
        }
        return state.withLock { $0.pool.take(plan) == nil && $0.openSpends.isEmpty }
    }
}
