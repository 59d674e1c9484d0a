import CLibpq
import Glibc

extension PostgresSession {
    /// Sends all the steps without waiting in between and reads all the results: one round trip for many statements.
    ///
    /// The steps form one implicit transaction, unless a transaction is open or they contain its commands themselves.
    ///
    /// - Throws: `PostgresPipelineError` that names the failed step; `PostgresError` when the pipeline could not run at
    ///   all.
    @discardableResult
    package func pipeline(_ steps: [PostgresPipelineStep]) throws -> [PostgresResult] {
        var results: [PostgresResult] = []
        results.reserveCapacity(steps.count)
        for (index, outcome) in try pipelineOutcomes(steps).enumerated() {
            switch outcome {
            case .completed(let result):
                results.append(result)
            case .failed(let error):
                throw PostgresPipelineError(
                    step: index,
                    stepCount: steps.count,
                    statement: steps[index].statement.name,
                    underlying: error
                )
            case .aborted:
                throw PostgresError(.protocol, "step \(index) of the pipeline was aborted with no failure before it")
            }
        }
        return results
    }

    /// As `pipeline`, but answers with the outcome of each step.
    ///
    /// - Throws: `PostgresError` when the pipeline could not run, or the connection broke so that it is unknown what was
    ///   done.
    package func pipelineOutcomes(
        _ steps: [PostgresPipelineStep]
    ) throws(PostgresError) -> [PostgresPipelineOutcome] {
        if steps.isEmpty { return [] }
        for step in steps { try prepare(step.statement, for: step.parameters) }
        return try command { () throws(PostgresError) in
            guard unsafe PQenterPipelineMode(connection.pointer) == 1 else { throw connectionError() }
            unsafe PQsetnonblocking(connection.pointer, 1)
            defer { unsafe PQsetnonblocking(connection.pointer, 0) }
            var run = PipelineRun(session: self, steps: steps)
            try run.send()
            try run.receive()
            guard unsafe PQexitPipelineMode(connection.pointer) == 1 else { throw connectionError() }
            for (index, outcome) in run.outcomes.enumerated() {
                if case .failed(let error) = outcome { isOutdated(steps[index].statement, error) }
            }
            return run.outcomes
        }
    }
}

/// One pass through a pipeline. The connection is in non-blocking mode: when the server stops reading because its own
/// answers are not being read, those are read first, so neither side ever waits for the other.
private struct PipelineRun {
    let session: PostgresSession
    let steps: [PostgresPipelineStep]
    var outcomes: [PostgresPipelineOutcome] = []
    private var current: PostgresPipelineOutcome = .aborted
    private var sentCount = 0

    /// How much is handed to libpq before its buffer is flushed: bounds the buffer, and the system calls.
    private static let flushThreshold = 64 * 1024

    init(session: PostgresSession, steps: [PostgresPipelineStep]) {
        self.session = session
        self.steps = steps
        outcomes.reserveCapacity(steps.count)
    }

    private var pointer: OpaquePointer { unsafe session.connection.pointer }

    mutating func send() throws(PostgresError) {
        var unflushed = 0
        for step in steps {
            guard try session.send(step.statement, step.parameters) else { throw failure() }
            sentCount += 1
            unflushed += session.parameterBuffer.byteCount + 64
            if unflushed >= Self.flushThreshold {
                try flush()
                unflushed = 0
            }
        }
        guard unsafe PQpipelineSync(pointer) == 1 else { throw failure() }
        try flush()
    }

    private mutating func flush() throws(PostgresError) {
        while true {
            let left = unsafe PQflush(pointer)
            if left == 0 { return }
            if left < 0 { throw failure() }
            try session.waitForServer(events: Int16(POLLIN) | Int16(POLLOUT))
            guard unsafe PQconsumeInput(pointer) == 1 else { throw failure() }
            collect()
        }
    }

    mutating func receive() throws(PostgresError) {
        while true {
            collect()
            if outcomes.count == steps.count { break }
            try session.waitForServer()
            guard unsafe PQconsumeInput(pointer) == 1 else { throw failure() }
        }
        // The synchronisation point has a result of its own and no end mark behind it.
        guard let sync = try session.nextResult() else { throw failure() }
        // In its place stands the server's last word when it ended the session just before: behind a COMMIT, for one.
        guard sync.status == PGRES_PIPELINE_SYNC else { throw session.error(sync) }
    }

    /// Takes what has arrived completely. Each statement answers with one result and an end mark.
    private mutating func collect() {
        while outcomes.count < sentCount, unsafe PQisBusy(pointer) == 0 {
            guard let next = unsafe PQgetResult(pointer) else {
                outcomes.append(current)
                current = .aborted
                continue
            }
            let result = unsafe ResultHandle(owning: next)
            switch result.status {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
                current = .completed(PostgresResult(result))
            case PGRES_PIPELINE_ABORTED:
                current = .aborted
            default:
                current = .failed(session.error(result))
                // A lost connection sends no end mark.
                if !session.connection.isGood { return }
            }
        }
    }

    /// Why the connection broke: what the server said last, or libpq's own text.
    private func failure() -> PostgresError {
        for outcome in outcomes.suffix(1) + [current] {
            if case .failed(let error) = outcome, error.isConnectionLost { return error }
        }
        return session.connectionError()
    }
}
