import EntitlementDomain
import Synchronization

/// Knows how far the feed has come, as far as this instance has heard, and wakes those who wait for more. One poller and the
/// instance's own appends tell it; waiters cost the database nothing.
final class HeadWatch: Sendable {
    private struct Waiter {
        var isReached: @Sendable (FeedPosition) -> Bool
        var continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var known: FeedPosition?
        var isEnded = false
        var nextID = 0
        var waiters: [Int: Waiter] = [:]
    }

    private let state = Mutex(State())

    /// The end of the feed as last heard of; nil: never yet.
    var known: FeedPosition? { state.withLock { $0.known } }

    /// Whether anybody waits.
    var hasWaiters: Bool { waiterCount > 0 }

    /// How many wait.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Whether waiting is over for good, because the instance stops.
    var isEnded: Bool { state.withLock { $0.isEnded } }

    /// Notes the end of the feed.
    ///
    /// - Parameter isRead: whether it was read from the database just now, and so is true also when it lies before what was
    ///   known: a fail-over may have rewound the log. What an append tells may be overtaken by newer news.
    func note(_ head: FeedPosition, isRead: Bool = false) {
        let woken = state.withLock { state in
            if let known = state.known, isRead ? head == known : head <= known { return [Waiter]() }
            state.known = head
            let due = state.waiters.filter { $0.value.isReached(head) }
            for id in due.keys { state.waiters[id] = nil }
            return Array(due.values)
        }
        for waiter in woken { waiter.continuation.resume() }
    }

    /// Waits until the end of the feed satisfies a condition; returns as well when the time is over, the task is cancelled
    /// or the instance stops.
    ///
    /// - Parameter onWaiting: called when the wait has really begun.
    func wait(
        until deadline: ContinuousClock.Instant,
        onWaiting: () -> Void = {},
        _ isReached: @escaping @Sendable (FeedPosition) -> Bool
    ) async {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let timer = Task { [weak self] in
            try? await Task.sleep(until: deadline, clock: .continuous)
            if !Task.isCancelled { self?.wake(id) }
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    let isThere = state.known.map(isReached) ?? false
                    if isThere || state.isEnded || Task.isCancelled || deadline <= .now { return true }
                    state.waiters[id] = Waiter(isReached: isReached, continuation: continuation)
                    return false
                }
                if isOver { continuation.resume() } else { onWaiting() }
            }
        } onCancel: {
            wake(id)
        }
        timer.cancel()
    }

    /// Wakes everybody; from now on nobody waits.
    func end() {
        let woken = state.withLock { state in
            state.isEnded = true
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in woken { waiter.continuation.resume() }
    }

    private func wake(_ id: Int) {
        state.withLock { $0.waiters.removeValue(forKey: id) }?.continuation.resume()
    }
}
