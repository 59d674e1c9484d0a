import CLibmicrohttpd
import Glibc
import Synchronization

/// What all connections of a server share, and what libmicrohttpd's callbacks come down to.
final class ServerCore: Sendable {
    let handler: any HTTPHandler
    /// What TLS is served with; nil: plain HTTP is served.
    let tls: TLSCredentialHolder?
    let counters = CounterSet()
    let suspensions = SuspensionRegistry()
    private let connections = ConnectionRegistry()
    /// The server stops: finish what there is, keep no connection.
    let isDraining = Atomic(false)

    private let maximumBodyBytes: Int
    private let maximumHeaderBytes: Int
    private let requestMilliseconds: Int64
    private let idleMilliseconds: Int64

    /// A refused body of up to this size is read to its end, so that the client gets to read the answer; beyond it the
    /// connection is closed over the client's head.
    static let maximumDiscardedBytes = 1024 * 1024

    init(_ configuration: HTTPServerConfiguration, handler: any HTTPHandler, tls: TLSCredentialHolder?) {
        self.handler = handler
        self.tls = tls
        maximumBodyBytes = configuration.maximumBodyBytes
        maximumHeaderBytes = configuration.maximumHeaderBytes
        requestMilliseconds = configuration.requestTimeLimit.wholeMilliseconds
        idleMilliseconds = configuration.idleTimeout.wholeMilliseconds
    }

    // MARK: Connections

    func opened(_ handle: OpaquePointer) -> HTTPConnection {
        let deadline = HTTPConnection.milliseconds() + requestMilliseconds
        let connection = unsafe HTTPConnection(handle: handle, deadline: deadline, credentials: tls?.current)
        connections.add(connection)
        counters.connections.add(1, ordering: .relaxed)
        counters.openConnections.add(1, ordering: .relaxed)
        return connection
    }

    func closed(_ connection: HTTPConnection) {
        connections.remove(connection)
        counters.openConnections.subtract(1, ordering: .relaxed)
    }

    /// Whether no request is being worked on, and none lies unread in a connection's socket.
    var isQuiet: Bool {
        counters.requestsInFlight.load(ordering: .relaxed) == 0 && !connections.hasUnread
    }

    /// Looks after the connections that no callback would come for; called now and then.
    func watch() {
        counters.slowClients.add(connections.endSlow(), ordering: .relaxed)
        connections.endAbandoned()
        suspensions.dropDisconnected()
    }

    // MARK: Requests

    /// The access handler of libmicrohttpd (manual, MHD_AccessHandlerCallback): called when the header fields are
    /// there, for each part of the body, when all of the body is there, and after a suspended connection was resumed.
    func handle(
        _ connection: HTTPConnection,
        method: UnsafePointer<CChar>,
        upload: UnsafePointer<CChar>?,
        uploadSize: UnsafeMutablePointer<Int>
    ) -> MHD_Result {
        switch connection.phase {
        case .receivingHeaders:
            return begin(connection)
        case .receivingBody:
            let count = unsafe uploadSize.pointee
            guard count > 0, let upload = unsafe upload else {
                return unsafe answer(connection, method: HTTPMethod(String(cString: method)))
            }
            unsafe uploadSize.pointee = 0
            return unsafe receive(UnsafeRawBufferPointer(start: upload, count: count), connection)
        case .discardingBody(let status):
            let count = unsafe uploadSize.pointee
            unsafe uploadSize.pointee = 0
            if count == 0 { return queue(HTTPResponse(status), connection) }
            connection.discardedBytes += count
            return connection.discardedBytes > ServerCore.maximumDiscardedBytes ? .NO : .YES
        case .working:
            switch connection.outcome {
            case .response(let response): return queue(response, connection)
            case .aborted, nil: return .NO
            }
        case .answered:
            return .NO
        }
    }

    /// Looks at the header fields and decides about the body.
    private func begin(_ connection: HTTPConnection) -> MHD_Result {
        counters.requests.add(1, ordering: .relaxed)
        counters.requestsInFlight.add(1, ordering: .relaxed)
        connection.phase = .receivingBody
        let framing = unsafe RequestFraming(connection.handle)
        if framing.headerBytes > maximumHeaderBytes {
            counters.refusedRequests.add(1, ordering: .relaxed)
            return queue(HTTPResponse(.headerFieldsTooLarge), connection)
        }
        guard framing.hasBody else { return .YES }
        connection.deadline.store(HTTPConnection.milliseconds() + requestMilliseconds, ordering: .relaxed)
        if framing.isAmbiguous {
            counters.refusedRequests.add(1, ordering: .relaxed)
            return queue(HTTPResponse(.badRequest), connection)
        }
        let length = framing.contentLength ?? 0
        guard length <= maximumBodyBytes else {
            counters.refusedRequests.add(1, ordering: .relaxed)
            // Answering before the body has come closes the connection, and what is still on its way then makes the
            // client's system throw the answer away. So a body that is not much too large is let come.
            if framing.expectsContinue || length > ServerCore.maximumDiscardedBytes {
                return queue(HTTPResponse(.contentTooLarge), connection)
            }
            connection.phase = .discardingBody(.contentTooLarge)
            return .YES
        }
        // A promise of bytes is not worth memory yet.
        connection.body.reserveCapacity(min(length, 16 * 1024))
        return .YES
    }

    private func receive(_ part: UnsafeRawBufferPointer, _ connection: HTTPConnection) -> MHD_Result {
        counters.requestBodyBytes.add(part.count, ordering: .relaxed)
        guard connection.body.count + part.count <= maximumBodyBytes else {
            // Only a chunked body gets here; its length was not known before.
            counters.refusedRequests.add(1, ordering: .relaxed)
            connection.discardedBytes = connection.body.count + part.count
            connection.body = []
            connection.phase = .discardingBody(.contentTooLarge)
            return .YES
        }
        unsafe connection.body.append(contentsOf: part)
        return .YES
    }

    /// Asks the handler.
    private func answer(_ connection: HTTPConnection, method: HTTPMethod) -> MHD_Result {
        connection.deadline.store(HTTPConnection.never, ordering: .relaxed)
        let headers = unsafe HTTPRequestHeaders(connection: connection.handle)
        let request = HTTPRequest(
            method: method,
            target: connection.target,
            headers: headers,
            body: connection.body,
            remoteAddress: connection.remoteAddress,
            hasClientCertificate: connection.hasClientCertificate
        )
        connection.body = []
        switch handler.reply(to: request) {
        case .now(let response):
            headers.invalidate()
            return queue(response, connection)
        case .later(let work):
            headers.detach()
            connection.phase = .working
            let id = suspensions.suspend(connection) { id in
                .work(Task { [suspensions] in suspensions.resume(id, .response(await work())) })
            }
            return id == nil ? queue(HTTPResponse(.serviceUnavailable), connection) : .YES
        case .called(let begin):
            headers.detach()
            connection.phase = .working
            guard let id = suspensions.suspend(connection, { _ in .call }) else {
                return queue(HTTPResponse(.serviceUnavailable), connection)
            }
            begin { [suspensions] in suspensions.resume(id, .response($0)) }
            return .YES
        }
    }

    /// Hands a response to libmicrohttpd; one it refuses becomes a 500.
    private func queue(_ response: HTTPResponse, _ connection: HTTPConnection) -> MHD_Result {
        connection.phase = .answered
        connection.outcome = nil
        var status = response.status
        var made = unsafe make(response, connection)
        if unsafe made == nil {
            status = .internalServerError
            unsafe made = make(HTTPResponse(status), connection)
        }
        guard let handle = unsafe made else { return .NO }
        defer { unsafe MHD_destroy_response(handle) }
        return unsafe MHD_queue_response(connection.handle, UInt32(status.code), handle)
    }

    private func make(_ response: HTTPResponse, _ connection: HTTPConnection) -> OpaquePointer? {
        let handle: OpaquePointer?
        switch response.body {
        case .bytes(let bytes):
            unsafe handle = bytes.withUnsafeBytes { buffer in
                // The library copies these bytes and does not write to them.
                let start = unsafe UnsafeMutableRawPointer(mutating: buffer.baseAddress)
                return unsafe MHD_create_response_from_buffer(buffer.count, start, .RESPMEM_MUST_COPY)
            }
            counters.responseBodyBytes.add(bytes.count, ordering: .relaxed)
        case .stream(let produce):
            let stream = ResponseStream(
                connection: connection,
                suspensions: suspensions,
                counters: counters,
                produce: produce
            )
            unsafe handle = Callbacks.makeResponse(stream)
        }
        guard let handle = unsafe handle else { return nil }
        for field in response.headers {
            // A field with a line break would let a value become a field of its own; the library refuses it.
            guard unsafe MHD_add_response_header(handle, field.name, field.value) == .YES else {
                unsafe MHD_destroy_response(handle)
                return nil
            }
        }
        if isDraining.load(ordering: .relaxed) {
            _ = unsafe MHD_add_response_header(handle, "Connection", "close")
        }
        return unsafe handle
    }

    /// The request is over: answered, or given up.
    func completed(_ connection: HTTPConnection) {
        if case .receivingHeaders = connection.phase {
        } else {
            counters.requestsInFlight.subtract(1, ordering: .relaxed)
        }
        connection.reset(deadline: HTTPConnection.milliseconds() + idleMilliseconds + requestMilliseconds)
    }
}

extension Duration {
    /// The duration in milliseconds, at least 1.
    var wholeMilliseconds: Int64 {
        max(1, components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000)
    }
}
