import CLibpq
import Glibc

/// Owns one `PGconn`: connecting, waiting on its socket, closing.
@safe
final class ConnectionHandle {
    let pointer: OpaquePointer
    /// The context of libpq's notice callback: it has to live as long as the connection.
    private let notices: NoticeReceiver

    /// Connects, trying each host of the connection string for `connectTimeout` at most.
    ///
    /// - Throws: `PostgresError` of kind `connection`, with the server's condition code where it answered.
    init(_ parameters: ConnectionParameters, onNotice: (@Sendable (ServerMessage) -> Void)?) throws(PostgresError) {
        let receiver = NoticeReceiver(onNotice)
        var failure: PostgresError?
        for attempt in 0..<parameters.hostCount {
            let deadline = ContinuousClock.now + parameters.connectTimeout
            let started = try unsafe Self.start(parameters.rotated(by: attempt), receiver)
            do {
                try unsafe Self.complete(started, deadline: deadline)
                unsafe pointer = started
                notices = receiver
                return
            } catch {
                unsafe PQfinish(started)
                failure = failure ?? error
                // libpq has tried all the hosts itself, unless it was still waiting for one.
                if error.kind != .timeout { break }
            }
        }
        throw failure ?? PostgresError(.connection, "no host to connect to")
    }

    deinit {
        unsafe PQfinish(pointer)
    }

    private static func start(
        _ values: [String: String],
        _ receiver: NoticeReceiver
    ) throws(PostgresError) -> OpaquePointer {
        let pairs = unsafe values.map { key, value in unsafe (strdup(key), strdup(value)) }
        defer {
            for index in unsafe pairs.indices {
                unsafe free(pairs[index].0)
                unsafe free(pairs[index].1)
            }
        }
        let keywords = unsafe pairs.map { unsafe UnsafePointer($0.0) } + [nil]
        let texts = unsafe pairs.map { unsafe UnsafePointer($0.1) } + [nil]
        // libpq answers a connection object even when it failed; only out of memory gives none.
        guard let pointer = unsafe PQconnectStartParams(keywords, texts, 0) else {
            throw PostgresError(.connection, "out of memory while connecting")
        }
        // Before the first word of the server: libpq's own receiver would write to stderr.
        unsafe PQsetNoticeReceiver(
            pointer,
            { context, result in
                guard let context = unsafe context, let result = unsafe result else { return }
                unsafe Unmanaged<NoticeReceiver>.fromOpaque(context).takeUnretainedValue().receive(result)
            },
            Unmanaged.passUnretained(receiver).toOpaque()
        )
        return unsafe pointer
    }

    /// The documented loop of PQconnectPoll (PostgreSQL manual, section 34.1).
    private static func complete(
        _ pointer: OpaquePointer,
        deadline: ContinuousClock.Instant
    ) throws(PostgresError) {
        // A failed start-up gives no result object to read fields from, only a text; in verbose form it carries the
        // condition code at a fixed place.
        unsafe PQsetErrorVerbosity(pointer, PQERRORS_VERBOSE)
        var events = Int16(POLLOUT)
        guard unsafe PQstatus(pointer) != CONNECTION_BAD else { throw unsafe ConnectFailure.read(pointer) }
        while true {
            switch unsafe SocketWait.wait(PQsocket(pointer), events: events, deadline: deadline) {
            case .timedOut, .woken:
                let place = unsafe place(pointer)
                throw PostgresError(.timeout, "the server\(place) did not accept the connection in time")
            case .failed(let code):
                throw PostgresError(.connection, "waiting for the server failed: \(code)")
            case .ready:
                break
            }
            switch unsafe PQconnectPoll(pointer) {
            case PGRES_POLLING_READING: events = Int16(POLLIN)
            case PGRES_POLLING_WRITING: events = Int16(POLLOUT)
            case PGRES_POLLING_OK:
                unsafe PQsetErrorVerbosity(pointer, PQERRORS_DEFAULT)
                return
            default: throw unsafe ConnectFailure.read(pointer)
            }
        }
    }

    /// Where the host is that libpq tries at present, for a message.
    private static func place(_ pointer: OpaquePointer) -> String {
        guard let host = unsafe PQhost(pointer), let port = unsafe PQport(pointer) else { return "" }
        return unsafe " at \"\(String(cString: host))\", port \(String(cString: port)),"
    }

    /// Whether libpq regards the connection as good; it learns of a loss only by using the socket.
    var isGood: Bool { unsafe PQstatus(pointer) == CONNECTION_OK }

    /// The message with which the server ended the session while nothing was asked of it.
    var farewell: ServerMessage? { notices.farewell }

    /// libpq's text for the last failure.
    var errorMessage: String {
        unsafe PQerrorMessage(pointer).map { unsafe String(cString: $0) }?.trimmedLines ?? ""
    }
}

/// Copies notices for the closure of the configuration.
private final class NoticeReceiver {
    private let handler: (@Sendable (ServerMessage) -> Void)?
    /// libpq passes an error that answers no command as a notice.
    private(set) var farewell: ServerMessage?

    init(_ handler: (@Sendable (ServerMessage) -> Void)?) {
        self.handler = handler
    }

    func receive(_ result: OpaquePointer) {
        guard let message = unsafe ServerMessage(result: result) else { return }
        if message.isFatal { farewell = message }
        handler?(message)
    }
}
