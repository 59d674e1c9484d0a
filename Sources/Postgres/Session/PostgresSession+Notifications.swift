import CLibpq
import Glibc

extension PostgresSession {
    private static let notifyStatement = PreparedStatement(
        "SELECT pg_notify($1, $2)",
        name: "pg_notify",
        parameterTypes: [.text, .text]
    )

    /// Starts to receive the notifications of a channel. The name is taken as it is, letter case included.
    package func listen(_ channel: String) throws(PostgresError) {
        try execute("LISTEN " + Self.quoteIdentifier(channel))
    }

    /// Stops receiving the notifications of a channel.
    package func unlisten(_ channel: String) throws(PostgresError) {
        try execute("UNLISTEN " + Self.quoteIdentifier(channel))
    }

    /// Sends a notification; in a transaction it goes out with the commit. A payload has less than 8000 bytes.
    package func notify(_ channel: String, _ payload: String = "") throws(PostgresError) {
        try query(Self.notifyStatement, [.text(channel), .text(payload)])
    }

    /// Blocks until at least one notification is there, and takes all that are.
    ///
    /// - Parameter timeout: how long to wait at most; zero only looks.
    /// - Returns: nothing when the time is over.
    /// - Throws: `PostgresError` when the connection is lost, or of kind `cancelled` when `cancelHandle` ended the wait.
    package func waitForNotifications(timeout: Duration) throws(PostgresError) -> [PostgresNotification] {
        let deadline = ContinuousClock.now + timeout
        return try command { () throws(PostgresError) in
            while true {
                let arrived = takeNotifications()
                if !arrived.isEmpty { return arrived }
                let socket = unsafe PQsocket(connection.pointer)
                let outcome = SocketWait.wait(
                    socket,
                    events: Int16(POLLIN),
                    wake: cancelHandle.wakeDescriptor,
                    deadline: deadline
                )
                switch outcome {
                case .timedOut: return []
                case .woken: throw PostgresCancelHandle.cancelled
                case .failed(let code): throw PostgresError(.connection, "waiting for the server failed: errno \(code)")
                case .ready:
                    guard unsafe PQconsumeInput(connection.pointer) == 1 else { throw connectionError() }
                }
            }
        }
    }

    private func takeNotifications() -> [PostgresNotification] {
        var taken: [PostgresNotification] = []
        while let next = unsafe PQnotifies(connection.pointer) {
            unsafe taken.append(
                PostgresNotification(
                    channel: String(cString: next.pointee.relname),
                    payload: String(cString: next.pointee.extra),
                    processID: next.pointee.be_pid
                )
            )
            unsafe PQfreemem(next)
        }
        return taken
    }
}
