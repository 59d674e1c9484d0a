import Synchronization

/// The course of one call of `PostgresThread.run`, so that its cancellation stops this call and never the next.
final class PostgresJob: Sendable {
    private enum State {
        case waiting
        case running(PostgresCancelHandle)
        case cancelled
        case ended
    }

    private let state = Mutex(State.waiting)

    /// - Returns: false when the call was cancelled while it waited.
    func begin(_ handle: PostgresCancelHandle) -> Bool {
        state.withLock { state in
            guard case .waiting = state else { return false }
            state = .running(handle)
            return true
        }
    }

    /// After this no request of this call is under way, and none will be made.
    func end() {
        state.withLock { state in
            if case .running(let handle) = state { handle.endJob() }
            state = .ended
        }
    }

    /// Blocks while the request travels to the server; `end` waits for it.
    func cancel() {
        state.withLock { state in
            switch state {
            case .waiting: state = .cancelled
            case .running(let handle): handle.interrupt()
            case .cancelled, .ended: break
            }
        }
    }

    var isCancelled: Bool {
        state.withLock { state in
            if case .cancelled = state { true } else { false }
        }
    }
}
