import Synchronization

/// Gathers the outcomes of requests that were appended together, and tells of them when the last one is there.
final class AppendBatch: Sendable {
    private struct State {
        var outcomes: [AppendOutcome?]
        var open: Int
        var failure: (any Error)?
    }

    private let state: Mutex<State>
    private let finish: @Sendable (Result<[AppendOutcome], any Error>) -> Void

    /// - Parameter finish: called once, with the outcomes in the order of the requests or with the first failure.
    init(count: Int, finish: @escaping @Sendable (Result<[AppendOutcome], any Error>) -> Void) {
        state = Mutex(State(outcomes: Array(repeating: nil, count: count), open: count))
        self.finish = finish
    }

    /// Notes what became of one request.
    func set(_ result: Result<AppendOutcome, any Error>, at place: Int) {
        let whole: Result<[AppendOutcome], any Error>? = state.withLock { state in
            switch result {
            case .success(let outcome): state.outcomes[place] = outcome
            case .failure(let error): state.failure = state.failure ?? error
            }
            state.open -= 1
            guard state.open == 0 else { return nil }
            if let failure = state.failure { return .failure(failure) }
            return .success(state.outcomes.compactMap(\.self))
        }
        if let whole { finish(whole) }
    }
}
