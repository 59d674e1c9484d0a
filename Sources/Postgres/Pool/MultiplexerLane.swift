import Synchronization

/// One session of a `PostgresMultiplexer` and the calls that wait for it.
final class MultiplexerLane: Sendable {
    struct Call: Sendable {
        var statement: PreparedStatement
        var parameters: [PostgresValue]
        var continuation: CheckedContinuation<PostgresResult, any Error>
    }

    private struct State {
        var waiting: [Call] = []
        /// Somebody takes calls from `waiting`, and will look again before it stops.
        var isRunning = false
        var isClosed = false
    }

    /// Bounds what one failure sends round again, and the time until the first of many answers.
    private static let longestPipeline = 128

    private let state = Mutex(State())
    private let callCount = Atomic<Int>(0)
    private let thread: PostgresThread

    init(_ configuration: PostgresConfiguration, label: String) {
        thread = PostgresThread(configuration, label: label)
    }

    /// How many calls are not answered yet.
    var load: Int { callCount.load(ordering: .relaxed) }

    func add(_ call: Call) {
        let (isRefused, starts) = state.withLock { state in
            if state.isClosed { return (true, false) }
            state.waiting.append(call)
            defer { state.isRunning = true }
            return (false, !state.isRunning)
        }
        if isRefused {
            call.continuation.resume(throwing: PostgresError(.closed, "the sessions for reading are closed"))
            return
        }
        callCount.add(1, ordering: .relaxed)
        if starts { thread.submit { self.run() } }
    }

    func close() async {
        state.withLock { $0.isClosed = true }
        // Behind the run that answers the calls made before.
        await thread.close()
    }

    private func run() {
        while let calls = take() {
            let left = thread.withSession { session in
                switch session {
                case .success(let session): return run(calls, session)
                case .failure(let error):
                    for call in calls { answer(call, .failure(error)) }
                    return []
                }
            }
            if !left.isEmpty { state.withLock { $0.waiting.insert(contentsOf: left, at: 0) } }
        }
    }

    private func take() -> [Call]? {
        state.withLock { state in
            if state.waiting.isEmpty {
                state.isRunning = false
                return nil
            }
            if state.waiting.count <= Self.longestPipeline {
                defer { state.waiting = [] }
                return state.waiting
            }
            defer { state.waiting.removeFirst(Self.longestPipeline) }
            return Array(state.waiting[..<Self.longestPipeline])
        }
    }

    /// - Returns: the calls that have to be made again, because one before them failed.
    private func run(_ calls: [Call], _ session: PostgresSession) -> [Call] {
        // A call with parameters that do not fit must not fail the others.
        var sound: [Call] = []
        for call in calls {
            do {
                try session.prepare(call.statement, for: call.parameters)
                sound.append(call)
            } catch {
                answer(call, .failure(error))
            }
        }
        if sound.count == 1 {
            answer(sound[0], Result { try session.query(sound[0].statement, sound[0].parameters) })
            return []
        }
        let outcomes: [PostgresPipelineOutcome]
        do {
            outcomes = try session.pipelineOutcomes(sound.map { PostgresPipelineStep($0.statement, $0.parameters) })
        } catch {
            for call in sound { answer(call, .failure(error)) }
            return []
        }
        var left: [Call] = []
        for (call, outcome) in zip(sound, outcomes) {
            switch outcome {
            case .completed(let result): answer(call, .success(result))
            case .aborted: left.append(call)
            case .failed where !session.isBroken && session.mustPrepareAgain(call.statement):
                // The plan was out of date, which is not the caller's affair.
                answer(call, Result { try session.query(call.statement, call.parameters) })
            case .failed(let error): answer(call, .failure(error))
            }
        }
        return left
    }

    private func answer(_ call: Call, _ result: Result<PostgresResult, any Error>) {
        callCount.subtract(1, ordering: .relaxed)
        call.continuation.resume(with: result)
    }
}
