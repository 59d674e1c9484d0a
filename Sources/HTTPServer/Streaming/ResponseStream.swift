import CLibmicrohttpd
import Glibc
import Synchronization

/// The way of a streamed body from the task that writes it to the thread that sends it.
///
/// The sender takes what is there and, when nothing is, suspends its connection; the writer resumes it. The writer
/// waits when more than `highWaterBytes` are on the way.
final class ResponseStream: Sendable {
    /// How much may wait to be sent before the writer has to wait.
    static let highWaterBytes = 64 * 1024

    private struct State: Sendable {
        var chunks: [[UInt8]] = []
        /// What of the first chunk was sent.
        var sentOfFirst = 0
        var bufferedBytes = 0
        /// The number of the connection's suspension, while it waits for the writer.
        var suspension: Int?
        var writers: [Int: CheckedContinuation<Void, any Error>] = [:]
        var nextWriter = 0
        var producer: Task<Void, Never>?
        var isStarted = false
        var end: End?
    }

    private enum End: Sendable {
        /// All was written.
        case complete
        /// The writer failed, the client is gone or the server stops.
        case broken
    }

    private let state = Mutex(State())
    private let connection: HTTPConnection
    private let suspensions: SuspensionRegistry
    private let counters: CounterSet
    private let produce: @Sendable (HTTPBodyWriter) async throws -> Void

    init(
        connection: HTTPConnection,
        suspensions: SuspensionRegistry,
        counters: CounterSet,
        produce: @escaping @Sendable (HTTPBodyWriter) async throws -> Void
    ) {
        self.connection = connection
        self.suspensions = suspensions
        self.counters = counters
        self.produce = produce
    }

    // MARK: The sender's side, on libmicrohttpd's thread

    /// Fills the buffer with what is there. Gives the count, 0 after suspending the connection, or one of the library's
    /// two codes for the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        // MHD_CONTENT_READER_END_OF_STREAM and …_WITH_ERROR are casts, which Swift does not import.
        let (endOfStream, endWithError) = (-1, -2)
        let (count, writers) = state.withLock { state -> (Int, [CheckedContinuation<Void, any Error>]) in
            if state.end == .broken { return (endWithError, []) }
            startIfNeeded(&state)
            if let first = state.chunks.first {
                let count = min(first.count - state.sentOfFirst, buffer.count)
                unsafe first.withUnsafeBytes { bytes in
                    let part = unsafe bytes[state.sentOfFirst..<(state.sentOfFirst + count)]
                    unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: part))
                }
                state.sentOfFirst += count
                state.bufferedBytes -= count
                if state.sentOfFirst == first.count {
                    state.chunks.removeFirst()
                    state.sentOfFirst = 0
                }
                guard state.bufferedBytes < ResponseStream.highWaterBytes / 2 else { return (count, []) }
                defer { state.writers = [:] }
                return (count, Array(state.writers.values))
            }
            if state.end == .complete { return (endOfStream, []) }
            state.suspension = suspensions.suspend(connection) { _ in .stream(self) }
            return (state.suspension == nil ? endWithError : 0, [])
        }
        for writer in writers { writer.resume() }
        if count > 0 { counters.responseBodyBytes.add(count, ordering: .relaxed) }
        return count
    }

    /// Starts the writer when the body is asked for: never for a HEAD request.
    private func startIfNeeded(_ state: inout State) {
        if state.isStarted { return }
        state.isStarted = true
        state.producer = Task { [self] in
            do {
                try await produce(HTTPBodyWriter(stream: self))
                end(.complete)
            } catch {
                end(.broken)
            }
        }
    }

    // MARK: The writer's side

    func write(_ bytes: [UInt8]) async throws {
        try Task.checkCancellation()
        let number = state.withLock { state in
            state.nextWriter += 1
            return state.nextWriter
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let result = state.withLock { state -> Result<Void, any Error>? in
                    if state.end != nil || Task.isCancelled { return .failure(CancellationError()) }
                    if !bytes.isEmpty {
                        state.chunks.append(bytes)
                        state.bufferedBytes += bytes.count
                        wake(&state)
                    }
                    if state.bufferedBytes < ResponseStream.highWaterBytes { return .success(()) }
                    state.writers[number] = continuation
                    return nil
                }
                if let result { continuation.resume(with: result) }
            }
        } onCancel: {
            let writer = state.withLock { $0.writers.removeValue(forKey: number) }
            writer?.resume(throwing: CancellationError())
        }
    }

    /// The client is gone or the server stops: the writer is cancelled and the connection closed.
    func close() {
        end(.broken)
    }

    private func end(_ end: End) {
        let (writers, producer) = state.withLock { state in
            // A stream that was written to its end is still sent, unless the client is gone.
            if state.end != .broken { state.end = end }
            let writers = Array(state.writers.values)
            state.writers = [:]
            wake(&state)
            let producer = state.producer
            state.producer = nil
            return (writers, end == .broken ? producer : nil)
        }
        producer?.cancel()
        for writer in writers { writer.resume(throwing: CancellationError()) }
    }

    /// Lets the sender look again.
    private func wake(_ state: inout State) {
        guard let suspension = state.suspension else { return }
        state.suspension = nil
        suspensions.resume(suspension)
    }
}
