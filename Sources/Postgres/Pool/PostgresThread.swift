import Dispatch
import Synchronization

/// Owns one session and a serial queue on which all its blocking calls run, so that no cooperative thread ever blocks.
///
/// It connects on first use. A session that is found broken is thrown away, and the next call connects anew: also one
/// that the server closed while it was idle, which a call notices before it runs its body.
///
/// Sendable because `session` is touched on `queue` only.
@safe
package final class PostgresThread: @unchecked Sendable {
    private let configuration: PostgresConfiguration
    private let onConnect: (@Sendable (PostgresSession) throws -> Void)?
    private let queue: DispatchQueue
    private var session: PostgresSession?
    private let isClosed = Atomic<Bool>(false)
    private let connects = Atomic<Int>(0)

    /// - Parameters:
    ///   - configuration: how to connect.
    ///   - label: the name of the queue in debuggers.
    ///   - onConnect: runs on each new session before it is used: for LISTEN, SET ROLE and the like.
    package init(
        _ configuration: PostgresConfiguration,
        label: String = "entitled.postgres",
        onConnect: (@Sendable (PostgresSession) throws -> Void)? = nil
    ) {
        self.configuration = configuration
        self.onConnect = onConnect
        queue = DispatchQueue(label: label)
    }

    /// How many times a connection was made: more than one means that sessions were lost.
    package var connectCount: Int { connects.load(ordering: .relaxed) }

    /// Runs `body` with the session; calls run one after the other, in order.
    ///
    /// When the calling task is cancelled, the statement under way is cancelled on the server, further statements of
    /// `body` are refused, and a body that has not begun never does. A transaction that `body` leaves open is rolled
    /// back.
    ///
    /// - Throws: the error of `body`; `PostgresError` of kind `connection` or `timeout` when no connection can be made,
    ///   of kind `cancelled` before `body` began, of kind `closed` after `close`.
    package func run<Result: Sendable>(
        _ body: @escaping @Sendable (PostgresSession) throws -> Result
    ) async throws -> Result {
        let job = PostgresJob()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async {
                    continuation.resume(with: self.perform(job, body))
                }
            }
        } onCancel: {
            // The request blocks for a round trip to the server.
            DispatchQueue.global().async { job.cancel() }
        }
    }

    /// Runs work on a session that is made for it and closed behind it.
    ///
    /// - Throws: what `run` throws.
    package static func withSession<Result: Sendable>(
        _ configuration: PostgresConfiguration,
        _ body: @escaping @Sendable (PostgresSession) throws -> Result
    ) async throws -> Result {
        let thread = PostgresThread(configuration)
        do {
            let result = try await thread.run(body)
            await thread.close()
            return result
        } catch {
            await thread.close()
            throw error
        }
    }

    /// Closes the session after the calls made before; later calls fail.
    package func close() async {
        await withCheckedContinuation { continuation in
            queue.async {
                self.isClosed.store(true, ordering: .releasing)
                self.discardSession()
                continuation.resume()
            }
        }
    }

    /// Queues work behind the calls made before, and lends it the session, or says why there is none. For a caller that
    /// need not wait: it costs no change of threads, and cannot be cancelled.
    package func enqueue(_ body: @escaping @Sendable (Result<PostgresSession, any Error>) -> Void) {
        queue.async { self.withSession(body) }
    }

    /// Queues work that looks after its own errors, behind the calls made before.
    func submit(_ body: @escaping @Sendable () -> Void) {
        queue.async(execute: body)
    }

    // MARK: On the queue

    /// Lends the session, connecting if need be, to work that `submit` runs.
    func withSession<Value>(_ body: (Result<PostgresSession, any Error>) -> Value) -> Value {
        let session: PostgresSession
        do {
            session = try usableSession(PostgresJob())
        } catch {
            return body(.failure(error))
        }
        defer { tidy(session) }
        return body(.success(session))
    }

    private func perform<Value>(
        _ job: PostgresJob,
        _ body: (PostgresSession) throws -> Value
    ) -> Result<Value, any Error> {
        Result {
            let session = try usableSession(job)
            guard job.begin(session.cancelHandle) else { throw PostgresCancelHandle.cancelled }
            defer { settle(session, job) }
            return try body(session)
        }
    }

    private func usableSession(_ job: PostgresJob) throws -> PostgresSession {
        if isClosed.load(ordering: .acquiring) { throw PostgresError(.closed, "the session's owner has closed it") }
        if job.isCancelled { throw PostgresCancelHandle.cancelled }
        if let session {
            if session.checkIsAlive() { return session }
            discardSession()
        }
        let made = try PostgresSession(configuration)
        try onConnect?(made)
        connects.add(1, ordering: .relaxed)
        session = made
        return made
    }

    /// Leaves the session clean for the next job, or drops it.
    private func settle(_ session: PostgresSession, _ job: PostgresJob) {
        job.end()
        tidy(session)
    }

    private func tidy(_ session: PostgresSession) {
        if !session.isBroken && !session.isIdle { try? session.rollBack() }
        if session.isBroken || !session.isIdle { discardSession() }
    }

    private func discardSession() {
        session?.close()
        session = nil
    }
}
