import Dispatch
import Synchronization

/// A bounded number of sessions, each on its own thread, lent to closures.
///
/// Callers get a session in the order they asked. Nothing here blocks a cooperative thread.
package final class PostgresPool: Sendable {
    private typealias Waiter = CheckedContinuation<Int, any Error>

    private struct State {
        var machine: PoolStateMachine<Waiter, ContinuousClock.Instant>
        var acquired = 0
        var timedOut = 0
        var waited = 0
        var waitingTime: Duration = .zero
        /// Those who wait in `close` for the last session to come back.
        var closing: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>
    private let threads: [PostgresThread]
    private let acquireTimeout: Duration

    /// - Parameters:
    ///   - configuration: how each session connects.
    ///   - size: the most sessions.
    ///   - acquireTimeout: how long a call waits for a session.
    ///   - onConnect: runs on each new session before it is used.
    package init(
        _ configuration: PostgresConfiguration,
        size: Int,
        acquireTimeout: Duration = .seconds(5),
        onConnect: (@Sendable (PostgresSession) throws -> Void)? = nil
    ) {
        state = Mutex(State(machine: PoolStateMachine(limit: size)))
        threads = (0..<size).map {
            PostgresThread(configuration, label: "entitled.postgres.\($0)", onConnect: onConnect)
        }
        self.acquireTimeout = acquireTimeout
    }

    /// Runs `body` with a session of the pool; see `PostgresThread.run`.
    ///
    /// - Throws: the error of `body`; `PostgresError` of kind `timeout` when all sessions stay in use for too long, of
    ///   kind `cancelled` when the task is cancelled before a session is free, of kind `closed` after `close`.
    package func withSession<Result: Sendable>(
        _ body: @escaping @Sendable (PostgresSession) throws -> Result
    ) async throws -> Result {
        let slot = try await acquire()
        defer { release(slot) }
        return try await threads[slot].run(body)
    }

    /// The pool's state now.
    package var statistics: PostgresPoolStatistics {
        let connects = threads.reduce(0) { $0 + $1.connectCount }
        return state.withLock { state in
            PostgresPoolStatistics(
                size: state.machine.limit,
                idle: state.machine.idleCount,
                leased: state.machine.leasedCount,
                waiting: state.machine.waitingCount,
                acquired: state.acquired,
                waited: state.waited,
                waitingTime: state.waitingTime,
                timedOut: state.timedOut,
                connects: connects
            )
        }
    }

    /// Refuses those who wait and all later calls, lets those under way end, and closes all sessions.
    package func close() async {
        let refused = state.withLock { $0.machine.close() }
        for waiter in refused { waiter.resume(throwing: Self.closed) }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            let isDrained = state.withLock { state in
                if state.machine.leasedCount == 0 { return true }
                state.closing.append(continuation)
                return false
            }
            if isDrained { continuation.resume() }
        }
        for thread in threads { await thread.close() }
    }

    private static let closed = PostgresError(.closed, "the pool is closed")

    // MARK: Acquiring

    private func acquire() async throws -> Int {
        // A free session is the usual case and needs no continuation.
        if let slot = try leaseNow() { return slot }
        let asked = ContinuousClock.now
        let deadline = asked + acquireTimeout
        defer {
            let duration = ContinuousClock.now - asked
            state.withLock { state in
                state.waited += 1
                state.waitingTime += duration
            }
        }
        let ticket = Mutex<Ticket>(.undecided)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                wait(continuation, ticket, until: deadline)
            }
        } onCancel: {
            cancel(ticket)
        }
    }

    /// Ties the cancellation of a task to its place in the queue, whichever of the two comes first.
    private enum Ticket {
        case undecided
        case waiting(UInt64)
        case cancelled
    }

    private func leaseNow() throws -> Int? {
        try state.withLock { state in
            guard !state.machine.isClosed else { throw Self.closed }
            guard let slot = state.machine.leaseFree() else { return nil }
            state.acquired += 1
            return slot
        }
    }

    private func wait(
        _ continuation: Waiter,
        _ ticket: borrowing Mutex<Ticket>,
        until deadline: ContinuousClock.Instant
    ) {
        let wasCancelled = ticket.withLock { ticket in
            if case .cancelled = ticket { return true }
            let action = state.withLock { state in
                let action = state.machine.acquire(deadline: deadline, continuation)
                if case .lease = action { state.acquired += 1 }
                return action
            }
            switch action {
            case .lease(let slot): continuation.resume(returning: slot)
            case .refuse: continuation.resume(throwing: Self.closed)
            case .wait(let id, let timer):
                ticket = .waiting(id)
                if let timer { setTimer(timer) }
            }
            return false
        }
        if wasCancelled { continuation.resume(throwing: PostgresCancelHandle.cancelled) }
    }

    private func cancel(_ ticket: borrowing Mutex<Ticket>) {
        let waiter = ticket.withLock { ticket -> Waiter? in
            defer { ticket = .cancelled }
            guard case .waiting(let id) = ticket else { return nil }
            return state.withLock { $0.machine.cancel(id: id) }
        }
        waiter?.resume(throwing: PostgresCancelHandle.cancelled)
    }

    private func release(_ slot: Int) {
        let action = state.withLock { state in
            let action = state.machine.release(slot: slot)
            if case .handOver = action { state.acquired += 1 }
            return action
        }
        switch action {
        case .handOver(let waiter, let slot): waiter.resume(returning: slot)
        case .park, .retire(isLast: false): break
        case .retire(isLast: true):
            let closing = state.withLock { state in
                defer { state.closing = [] }
                return state.closing
            }
            for continuation in closing { continuation.resume() }
        }
    }

    private func setTimer(_ instant: ContinuousClock.Instant) {
        let (seconds, attoseconds) = ContinuousClock.now.duration(to: instant).components
        let delay = max(0, Double(seconds) + Double(attoseconds) / 1e18)
        DispatchQueue.global().asyncAfter(deadline: .now() + delay) { self.expire() }
    }

    private func expire() {
        let (expired, timer) = state.withLock { state in
            let due = state.machine.expire(now: .now)
            state.timedOut += due.expired.count
            return due
        }
        let error = PostgresError(
            .timeout,
            "no session of the pool became free within \(acquireTimeout)"
        )
        for waiter in expired { waiter.resume(throwing: error) }
        if let timer { setTimer(timer) }
    }
}
