import CLibmicrohttpd
import Synchronization

/// All suspended connections of a server.
///
/// libmicrohttpd leaves a suspended connection alone: it does not notice when the client goes away, and must not be
/// stopped before the connection is resumed (manual, MHD_suspend_connection). Both duties are kept here. Suspending and
/// resuming take place under the lock of one part, so a connection is resumed exactly once; there are several parts, because
/// all requests that are not answered at once come by here, and resuming takes a system call.
final class SuspensionRegistry: Sendable {
    private struct State: Sendable {
        var suspensions: [Int: Suspension] = [:]
        var isClosed = false
    }

    private final class Part: Sendable {
        let state = Mutex(State())
    }

    private let parts = (0..<16).map { _ in Part() }
    private let nextID = Atomic(0)

    private func part(_ id: Int) -> Part { parts[id & 15] }

    /// Suspends a connection; to be called in a callback of that connection only.
    ///
    /// - Parameter waiting: makes what the connection waits for; it gets the number to resume by.
    /// - Returns: the number; nil when the server stops and the connection was not suspended.
    @discardableResult
    func suspend(_ connection: HTTPConnection, _ waiting: (Int) -> Suspension.Waiting) -> Int? {
        let id = nextID.add(1, ordering: .relaxed).oldValue
        return part(id).state.withLock { state in
            if state.isClosed { return nil }
            unsafe MHD_suspend_connection(connection.handle)
            state.suspensions[id] = Suspension(connection: connection, waiting: waiting(id))
            return id
        }
    }

    /// Resumes a connection, unless that was done already.
    ///
    /// - Parameter outcome: what the connection finds when it goes on.
    func resume(_ id: Int, _ outcome: HTTPConnection.Outcome? = nil) {
        part(id).state.withLock { state in
            guard let suspension = state.suspensions.removeValue(forKey: id) else { return }
            if let outcome { suspension.connection.outcome = outcome }
            unsafe MHD_resume_connection(suspension.connection.handle)
        }
    }

    /// Tells those who wait for a client that has closed its connection: work is cancelled, streams are ended.
    func dropDisconnected() {
        let waiting = parts.flatMap { part in
            part.state.withLock { state in
                state.suspensions.filter { !$0.value.isClientGone }.map {
                    (id: $0.key, descriptor: $0.value.connection.descriptor)
                }
            }
        }
        if waiting.isEmpty { return }
        let haveClosed = PeerWatch.haveClosed(waiting.map(\.descriptor))
        var gone: [Suspension] = []
        for (entry, hasClosed) in zip(waiting, haveClosed) where hasClosed {
            // The descriptor is surely this connection's when it is still suspended under the same number.
            let suspension = part(entry.id).state.withLock { state in
                defer { state.suspensions[entry.id]?.isClientGone = true }
                return state.suspensions[entry.id]
            }
            if let suspension { gone.append(suspension) }
        }
        // Not under the lock: a stream resumes its connection.
        for suspension in gone {
            switch suspension.waiting {
            case .work(let task): task.cancel()
            case .call: break
            case .stream(let stream): stream.close()
            }
        }
    }

    /// Cancels all work, resumes all connections, and lets no more be suspended.
    func close() {
        for part in parts { close(part) }
    }

    private func close(_ part: Part) {
        let streams = part.state.withLock { state in
            state.isClosed = true
            var streams: [ResponseStream] = []
            for (id, suspension) in state.suspensions {
                switch suspension.waiting {
                case .work, .call:
                    if case .work(let task) = suspension.waiting { task.cancel() }
                    suspension.connection.outcome = .aborted
                    state.suspensions[id] = nil
                    unsafe MHD_resume_connection(suspension.connection.handle)
                case .stream(let stream):
                    streams.append(stream)
                }
            }
            return streams
        }
        for stream in streams { stream.close() }
    }
}
