import Synchronization

/// A sleep that others can end. A ring while nobody sleeps ends the next sleep at once.
final class Alarm: Sendable {
    private struct State {
        var hasRung = false
        var sleeper: (id: Int, continuation: CheckedContinuation<Void, Never>)?
        var nextID = 0
    }

    private let state = Mutex(State())

    /// Ends the sleep.
    func ring() {
        let sleeper = state.withLock { state in
            let sleeper = state.sleeper
            state.sleeper = nil
            state.hasRung = sleeper == nil
            return sleeper
        }
        sleeper?.continuation.resume()
    }

    /// Sleeps for a time at most, or until the alarm rings or the task is cancelled. For one task at a time.
    func sleep(upTo limit: Duration) async {
        let deadline = ContinuousClock.now + limit
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
                    if state.hasRung || Task.isCancelled || deadline <= .now {
                        state.hasRung = false
                        return true
                    }
                    state.sleeper = (id, continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            wake(id)
        }
        timer.cancel()
    }

    private func wake(_ id: Int) {
        let sleeper = state.withLock { state in
            guard state.sleeper?.id == id else { return nil as CheckedContinuation<Void, Never>? }
            defer { state.sleeper = nil }
            return state.sleeper?.continuation
        }
        sleeper?.resume()
    }
}
