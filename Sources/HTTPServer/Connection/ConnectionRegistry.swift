import Glibc
import Synchronization

/// The open connections of a server, and the watch over those that wait for their clients.
///
/// A connection is taken out before its descriptor is closed, so under the registry's lock a descriptor belongs to its
/// connection. To end one, its socket is shut down: libmicrohttpd then finds the end on the thread that serves it.
final class ConnectionRegistry: Sendable {
    private let connections = Mutex<[ObjectIdentifier: HTTPConnection]>([:])

    func add(_ connection: HTTPConnection) {
        connections.withLock { $0[ObjectIdentifier(connection)] = connection }
    }

    func remove(_ connection: HTTPConnection) {
        connections.withLock { $0[ObjectIdentifier(connection)] = nil }
    }

    /// Whether a client has sent something that has not been read yet.
    var hasUnread: Bool {
        connections.withLock { connections in
            !connections.isEmpty && PeerWatch.hasUnread(connections.values.map(\.descriptor))
        }
    }

    /// Ends the connections whose clients take too long, and gives their number.
    func endSlow() -> Int {
        let now = HTTPConnection.milliseconds()
        return connections.withLock { connections in
            var count = 0
            for connection in connections.values where connection.deadline.load(ordering: .relaxed) <= now {
                connection.deadline.store(HTTPConnection.never, ordering: .relaxed)
                shutdown(connection.descriptor, Int32(SHUT_RDWR))
                count += 1
            }
            return count
        }
    }

    /// Ends the connections whose clients closed them while something was expected of them.
    ///
    /// libmicrohttpd 0.9.75 misses an end that arrives together with data: its epoll is edge-triggered, and after a
    /// short read it waits for an event that never comes. Such a connection would stay open until its deadline.
    func endAbandoned() {
        connections.withLock { connections in
            let waiting = connections.values.filter { $0.deadline.load(ordering: .relaxed) != HTTPConnection.never }
            if waiting.isEmpty { return }
            for (connection, hasClosed) in zip(waiting, PeerWatch.haveClosed(waiting.map(\.descriptor)))
            where hasClosed && PeerWatch.isAtEnd(connection.descriptor) {
                // Seen twice in the same wait, so what was read last is not on its way to the handler just now.
                let deadline = connection.deadline.load(ordering: .relaxed)
                if connection.abandonedDeadline == deadline {
                    shutdown(connection.descriptor, Int32(SHUT_RDWR))
                }
                connection.abandonedDeadline = deadline
            }
        }
    }
}
