import CLibpq
import Glibc

/// One connection to the server, with synchronous calls that block the calling thread.
///
/// Not Sendable: it belongs to one thread at a time. `PostgresThread` owns one and lends it to closures; only
/// `cancelHandle` may be used from elsewhere. After an error for which `isConnectionLost` holds, or once `isBroken`
/// is true, the session is of no further use.
package final class PostgresSession {
    let connection: ConnectionHandle
    /// Stops from any thread what this session is doing.
    package let cancelHandle: PostgresCancelHandle
    let parameterBuffer = ParameterBuffer()
    private let commandTimeout: Duration?

    /// What is known of a statement the server holds under its name.
    struct Prepared {
        var statement: PreparedStatement
        var types: [PostgresType]
    }

    var prepared: [String: Prepared] = [:]
    /// Names the server may still hold although this side wants to prepare them anew.
    var outdated: Set<String> = []
    private var isGivenUp = false
    /// The server has said that it ends the session; libpq notices when it reads the end of the stream.
    private var isEnded = false
    private(set) var isClosed = false
    /// The end of the command under way; nil without a command timeout.
    private var deadline: ContinuousClock.Instant?

    /// Connects.
    ///
    /// - Throws: `PostgresError` of kind `connection` or `timeout`; of kind `protocol` for an unusable connection
    ///   string.
    package init(_ configuration: PostgresConfiguration) throws(PostgresError) {
        let parameters = try ConnectionParameters(configuration)
        connection = try ConnectionHandle(parameters, onNotice: configuration.onNotice)
        cancelHandle = unsafe PostgresCancelHandle(owning: PQgetCancel(connection.pointer))
        commandTimeout = configuration.commandTimeout
    }

    deinit {
        close()
    }

    /// Ends the session; libpq's memory is given back when the object goes away.
    package func close() {
        isClosed = true
        cancelHandle.close()
    }

    /// Whether the connection is known to be unusable.
    package var isBroken: Bool {
        isClosed || isGivenUp || isEnded || !connection.isGood || connection.farewell != nil
    }

    /// Looks whether an idle connection was closed by the other side meanwhile. Costs one system call while all is
    /// well.
    package func checkIsAlive() -> Bool {
        guard !isBroken else { return false }
        let socket = unsafe PQsocket(connection.pointer)
        // What comes in while nothing is asked is a notification, a notice, or the end of the connection, which may
        // follow a last word of the server.
        while SocketWait.wait(socket, events: Int16(POLLIN), deadline: .now) == .ready {
            guard unsafe PQconsumeInput(connection.pointer) == 1 else { return false }
            // Takes in what was read.
            _ = unsafe PQisBusy(connection.pointer)
            if isBroken { return false }
        }
        return true
    }

    /// Whether a transaction block is open, failed or not.
    package var isInTransaction: Bool {
        switch unsafe PQtransactionStatus(connection.pointer) {
        case PQTRANS_INTRANS, PQTRANS_INERROR: true
        default: false
        }
    }

    /// Whether the session is outside of any transaction and command.
    var isIdle: Bool { unsafe PQtransactionStatus(connection.pointer) == PQTRANS_IDLE }

    /// The server's version, for example 150020 for 15.20.
    package var serverVersion: Int { unsafe Int(PQserverVersion(connection.pointer)) }

    /// The process id of the server process behind this session, as in `pg_stat_activity.pid`.
    package var processID: Int32 { unsafe PQbackendPID(connection.pointer) }

    /// A setting the server reports by itself, for example `server_version` or `in_hot_standby`.
    package func reportedSetting(_ name: String) -> String? {
        unsafe PQparameterStatus(connection.pointer, name).map { unsafe String(cString: $0) }
    }

    /// Quotes a name for use in SQL text.
    ///
    /// - Throws: `PostgresError` of kind `protocol` for a name that contains a NUL character.
    package static func quoteIdentifier(_ name: String) throws(PostgresError) -> String {
        guard !name.utf8.contains(0) else {
            throw PostgresError(.protocol, "a name contains a NUL character")
        }
        return "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}

// MARK: Commands

extension PostgresSession {
    /// Runs `body` as one command: it can be cancelled from outside, and its error tells cancelled from timed out.
    func command<Result>(
        whenInterrupted: Bool = false,
        _ body: () throws(PostgresError) -> Result
    ) throws(PostgresError) -> Result {
        try beginCommand(whenInterrupted: whenInterrupted)
        do {
            let result = try body()
            cancelHandle.endCommand()
            return result
        } catch {
            throw classified(error, wasRequested: cancelHandle.endCommand())
        }
    }

    private func beginCommand(whenInterrupted: Bool) throws(PostgresError) {
        guard !isClosed else { throw PostgresError(.closed, "the session is closed") }
        guard !isGivenUp else {
            throw PostgresError(.connection, "the session was given up after a command that did not end in time")
        }
        try cancelHandle.beginCommand(whenInterrupted: whenInterrupted)
        deadline = commandTimeout.map { ContinuousClock.now + $0 }
    }

    /// The server uses one code for a cancelled statement whoever asked for it; this side knows whether it did.
    private func classified(_ error: PostgresError, wasRequested: Bool) -> PostgresError {
        guard error.sqlState == .queryCanceled else { return error }
        return PostgresError(wasRequested ? .cancelled : .timeout, error.message, server: error.server)
    }

    /// Waits until the server has something to say, or the socket can take more.
    func waitForServer(events: Int16 = Int16(POLLIN)) throws(PostgresError) {
        let socket = unsafe PQsocket(connection.pointer)
        let wake = cancelHandle.wakeDescriptor
        while true {
            switch SocketWait.wait(socket, events: events, wake: wake, deadline: deadline) {
            case .ready:
                return
            case .woken:
                return try waitForCancellation(socket, events)
            case .timedOut:
                isGivenUp = true
                throw PostgresError(.timeout, "the server did not answer within the command timeout")
            case .failed(let code):
                isGivenUp = true
                throw PostgresError(.connection, "waiting for the server failed: errno \(code)")
            }
        }
    }

    /// Waits on after the server was asked to stop. A request that overtakes its own command on the way is dropped by
    /// the server, so it is repeated, at growing intervals; then the session is given up.
    private func waitForCancellation(_ socket: Int32, _ events: Int16) throws(PostgresError) {
        for milliseconds in [50, 200, 750, 4000] {
            let outcome = SocketWait.wait(socket, events: events, deadline: .now + .milliseconds(milliseconds))
            if outcome == .ready { return }
            cancelHandle.cancel()
        }
        isGivenUp = true
        throw PostgresCancelHandle.cancelled
    }

    /// The next result of the command under way, or nil at its end.
    ///
    /// - Parameter failure: the command's error so far: it tells more than the loss of the connection that may follow.
    func nextResult(after failure: PostgresError? = nil) throws(PostgresError) -> ResultHandle? {
        while unsafe PQisBusy(connection.pointer) != 0 {
            try waitForServer()
            if unsafe PQconsumeInput(connection.pointer) == 0 { throw failure ?? connectionError() }
        }
        return unsafe PQgetResult(connection.pointer).map { unsafe ResultHandle(owning: $0) }
    }

    /// Reads the command's results to the end.
    ///
    /// - Returns: the last of them.
    /// - Throws: the first error among them.
    func finishCommand() throws(PostgresError) -> ResultHandle {
        var last: ResultHandle?
        var failure: PostgresError?
        while let result = try nextResult(after: failure) {
            switch result.status {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
                last = result
            case PGRES_COPY_IN, PGRES_COPY_OUT, PGRES_COPY_BOTH:
                failure = failure ?? PostgresError(.protocol, "COPY to or from the client needs copyIn or copyOut")
                leaveCopy(result.status)
            default:
                failure = failure ?? error(result)
            }
        }
        if let failure { throw failure }
        guard let last else { throw connectionError() }
        return last
    }

    /// Ends a COPY nobody wanted, so that the session can go on.
    func leaveCopy(_ status: ExecStatusType) {
        if status == PGRES_COPY_IN {
            unsafe PQputCopyEnd(connection.pointer, "unexpected COPY FROM STDIN")
        } else {
            var chunk: UnsafeMutablePointer<CChar>?
            while unsafe PQgetCopyData(connection.pointer, &chunk, 0) > 0 { unsafe PQfreemem(chunk) }
        }
    }

    /// The error a result carries.
    func error(_ result: ResultHandle) -> PostgresError {
        if let server = result.serverMessage {
            let endsSession = server.isFatal || server.sqlState.endsSession
            if endsSession { isEnded = true }
            return PostgresError(endsSession ? .connection : .server, server.message, server: server)
        }
        return PostgresError(connection.isGood ? .protocol : .connection, result.errorText)
    }

    /// The error after a libpq call that could not send or read.
    func connectionError() -> PostgresError {
        if let farewell = connection.farewell {
            return PostgresError(.connection, farewell.message, server: farewell)
        }
        let message = connection.errorMessage
        return PostgresError(
            connection.isGood ? .protocol : .connection,
            message.isEmpty ? "the connection is not usable" : message
        )
    }
}
