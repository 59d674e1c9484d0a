import CLibmicrohttpd
import Glibc
import Synchronization

/// One connection and the request on it.
///
/// libmicrohttpd serves a connection on one thread, and its callbacks for it never overlap, so the request's state
/// needs no lock.
@safe final class HTTPConnection: @unchecked Sendable {
    // Guarded by the rule above, except: `deadline` is atomic, `abandonedDeadline` is the connection registry's, and
    // `outcome` is written by the suspension's owner before it resumes the connection and read after that.

    enum Phase {
        /// The header fields are on their way.
        case receivingHeaders
        /// The body is on its way.
        case receivingBody
        /// The body is on its way and will not be looked at; then this is the answer.
        case discardingBody(HTTPStatus)
        /// Work for later is running.
        case working
        /// The response is queued.
        case answered
    }

    /// What became of the work for later.
    enum Outcome {
        case response(HTTPResponse)
        /// The server stops; nothing is answered.
        case aborted
    }

    /// No deadline.
    static let never = Int64.max

    let handle: OpaquePointer
    let descriptor: Int32
    let remoteAddress: String
    /// What TLS is spoken with, kept as long as the connection; nil: plain HTTP.
    private let credentials: TLSCredentials?

    /// When the client must have sent what is expected of it, in milliseconds of `milliseconds()`; `never` while
    /// nothing is expected.
    let deadline: Atomic<Int64>

    /// The deadline that ran when the client was first seen to have closed the connection.
    var abandonedDeadline: Int64 = 0

    var phase = Phase.receivingHeaders
    var target = ""
    var body: [UInt8] = []
    /// Bytes of the body that were thrown away.
    var discardedBytes = 0
    var outcome: Outcome?

    /// - Parameter credentials: for the handshake, which has not begun yet.
    init(handle: OpaquePointer, deadline: Int64, credentials: TLSCredentials?) {
        unsafe self.handle = handle
        let socket = unsafe entitled_mhd_connection_info(handle, .CONNECTION_INFO_CONNECTION_FD)
        descriptor = unsafe socket?.pointee.connect_fd ?? -1
        remoteAddress = unsafe HTTPConnection.addressText(handle)
        self.deadline = Atomic(deadline)
        self.credentials = credentials
        if let credentials, unsafe !credentials.attach(to: HTTPConnection.session(handle)) {
            // The certificate that the library knows may be an old one; rather none than that.
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
    }

    /// Whether the client has shown a certificate that comes from those the server was told.
    var hasClientCertificate: Bool {
        guard let credentials, credentials.asksClients else { return false }
        return unsafe TLSCredentials.hasVerifiedPeer(HTTPConnection.session(handle))
    }

    /// The connection's TLS session; nil for plain HTTP.
    private static func session(_ handle: OpaquePointer) -> OpaquePointer? {
        let info = unsafe entitled_mhd_connection_info(handle, .CONNECTION_INFO_GNUTLS_SESSION)
        return unsafe info?.pointee.tls_session.map { OpaquePointer($0) }
    }

    /// Makes ready for the next request.
    func reset(deadline: Int64) {
        phase = .receivingHeaders
        target = ""
        body = []
        discardedBytes = 0
        outcome = nil
        self.deadline.store(deadline, ordering: .relaxed)
    }

    /// A clock for deadlines: cheap, and precise to some milliseconds.
    static func milliseconds() -> Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    private static func addressText(_ handle: OpaquePointer) -> String {
        let info = unsafe entitled_mhd_connection_info(handle, .CONNECTION_INFO_CLIENT_ADDRESS)
        guard let address = unsafe info?.pointee.client_addr else { return "" }
        let length: Int
        switch unsafe Int32(address.pointee.sa_family) {
        case AF_INET: length = MemoryLayout<sockaddr_in>.size
        case AF_INET6: length = MemoryLayout<sockaddr_in6>.size
        default: return ""
        }
        let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
            guard
                unsafe getnameinfo(
                    address,
                    socklen_t(length),
                    buffer.baseAddress,
                    socklen_t(buffer.count),
                    nil,
                    0,
                    NI_NUMERICHOST
                ) == 0, let start = buffer.baseAddress
            else { return "" }
            return unsafe String(cString: start)
        }
        // An IPv4 client of a socket for both families is known by its IPv4 address.
        return text.hasPrefix("::ffff:") && text.contains(".") ? String(text.dropFirst(7)) : text
    }
}
