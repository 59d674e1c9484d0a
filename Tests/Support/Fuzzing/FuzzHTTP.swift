import AppStore
import EntitlementDomain
import EntitlementService
import EventStore
import Glibc
import HTTPServer
import Simulator
import Synchronization
import X509

/// Raw bytes to a listening server. Behind it stands the service's own router, over a database that is not there: what
/// needs one is answered so.
enum FuzzHTTP {
    /// How long a connection may take to be answered and closed once nothing more can come.
    private static let seconds = 10
    private static let runs = Atomic(0)

    private static let listener: HTTPListener = {
        do {
            var http = HTTPServerConfiguration()
            http.threads = 2
            http.maximumBodyBytes = 256 * 1024
            let configuration = ServiceConfiguration(
                store: PostgresEventStore.Configuration(connectionString: "host=/nowhere connect_timeout=2"),
                http: http,
                verifier: VerifierConfiguration(roots: [FuzzSite.shared.chain.root.certificate]),
                apps: [:],
                policy: Policy()
            )
            let server = try EntitlementServer(configuration) { FuzzSite.now }
            return try HTTPListener.start(http, handler: server.handler)
        } catch {
            fatalError("the server does not start: \(error)")
        }
    }()

    static func run(_ bytes: [UInt8]) throws(FuzzFinding) {
        try exchange(bytes, port: listener.port)
        if runs.add(1, ordering: .relaxed).newValue % 64 == 0 {
            let answer = try send(
                Array("GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".utf8),
                listener.port
            )
            guard String(decoding: answer, as: UTF8.self).hasPrefix("HTTP/1.1 200 ") else {
                throw FuzzFinding("the server does not answer to a good client any more")
            }
        }
    }

    /// Sends bytes to a server, says that no more will come, and looks at what comes back.
    static func exchange(_ bytes: [UInt8], port: UInt16) throws(FuzzFinding) {
        let answer = try send(bytes, port)
        guard !answer.isEmpty else { return }
        let text = String(decoding: answer, as: UTF8.self)
        guard text.hasPrefix("HTTP/1.") else { throw FuzzFinding("the answer is not HTTP: \(text.prefix(80))") }
        guard bytes.starts(with: Array("POST /rpc HTTP/1.1\r\n".utf8)), text.hasPrefix("HTTP/1.1 200 "),
            let body = firstBody(answer), !body.isEmpty
        else { return }
        try FuzzCalls.check(body, of: bytes)
    }

    /// The body of the first response, by its Content-Length; nil where there is none.
    private static func firstBody(_ answer: [UInt8]) -> [UInt8]? {
        guard let end = answer.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let head = String(decoding: answer[..<end.lowerBound], as: UTF8.self).lowercased()
        let line = head.split(separator: "\r\n").first { $0.hasPrefix("content-length:") }
        guard let length = line.flatMap({ Int($0.dropFirst(15).filter { $0 != " " }) }) else { return nil }
        let body = answer[end.upperBound...].prefix(length)
        return body.count == length ? Array(body) : nil
    }

    private static func send(_ bytes: [UInt8], _ port: UInt16) throws(FuzzFinding) -> [UInt8] {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            unsafe setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let connected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw FuzzFinding("the server takes no connection: errno \(errno)") }
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            // The server may close over what it has seen enough of.
            if sent <= 0 { break }
            rest = rest.dropFirst(sent)
        }
        shutdown(descriptor, Int32(SHUT_WR))
        var answer: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = unsafe recv(descriptor, &piece, piece.count, 0)
            if count < 0, errno == EAGAIN { throw FuzzFinding("neither answered nor closed within \(seconds) s") }
            if count <= 0 { return answer }
            answer += piece[..<count]
        }
    }
}
