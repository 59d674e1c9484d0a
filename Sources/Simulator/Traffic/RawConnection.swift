import Glibc
package import JSON

/// One TCP connection to the service, byte by byte, for one thread. Its calls block, for half a minute at most unless told
/// otherwise.
package final class RawConnection {
    /// An HTTP response.
    package struct Response: Sendable {
        package var status: Int
        /// Names in lower case.
        package var headers: [String: String]
        package var body: [UInt8]

        /// The body as JSON; null when it is none.
        package var json: JSONValue { (try? JSONParser.parse(body)) ?? .null }
    }

    /// Why a connection is of no use.
    package enum Failure: Error {
        case system(String, errno: Int32)
        /// The service closed the connection before a whole response was there.
        case closed(received: Int)
        case notHTTP([UInt8])
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []

    /// Connects.
    ///
    /// - Parameters:
    ///   - address: an IPv4 address.
    ///   - source: an IPv4 address of this machine to come from; nil: the system's choice.
    ///   - patience: how many seconds to wait for the other side each time.
    /// - Throws: `Failure.system`.
    package init(
        port: Int,
        address host: String = "127.0.0.1",
        from source: String? = nil,
        patience: Int = 30
    ) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Failure.system("socket", errno: errno) }
        var limit = timeval(tv_sec: patience, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            unsafe setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        guard unsafe inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
            throw Failure.system("\(host) is no IPv4 address", errno: EINVAL)
        }
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        if let source {
            var local = sockaddr_in()
            local.sin_family = sa_family_t(AF_INET)
            guard unsafe inet_pton(AF_INET, source, &local.sin_addr) == 1 else {
                throw Failure.system("\(source) is no IPv4 address", errno: EINVAL)
            }
            unsafe withUnsafePointer(to: &local) { pointer in
                _ = unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe bind(descriptor, $0, size)
                }
            }
        }
        let connected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe connect(descriptor, $0, size) }
        }
        guard connected == 0 else {
            let code = errno
            throw Failure.system("connect", errno: code)
        }
    }

    deinit {
        close(descriptor)
    }

    /// Sends bytes as they are.
    package func send(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let sent = unsafe rest.withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { throw Failure.system("send", errno: errno) }
            rest = rest.dropFirst(sent)
        }
    }

    /// Sends a request with a body.
    package func send(_ method: String, _ path: String, headers: [String: String] = [:], body: [UInt8]? = nil) throws {
        var head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
        if let body { head += "Content-Length: \(body.count)\r\n" }
        try send(Array((head + "\r\n").utf8) + (body ?? []))
    }

    /// Says that nothing more will be sent.
    package func finishSending() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// Receives one response.
    ///
    /// - Throws: `Failure`.
    package func receive() throws -> Response {
        var head: [UInt8] = []
        while true {
            if let end = Self.headEnd(buffer) {
                head = Array(buffer[..<end])
                buffer.removeFirst(end)
                break
            }
            guard try fill() else { throw Failure.closed(received: buffer.count) }
        }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\r\n")
        let words = lines.first?.split(separator: " ", maxSplits: 2) ?? []
        guard words.count >= 2, words[0].hasPrefix("HTTP/1."), let status = Int(words[1]) else {
            throw Failure.notHTTP(head)
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2 { headers[parts[0].lowercased()] = parts[1].trimmingPrefix(" ").description }
        }
        let length = headers["content-length"].flatMap { Int($0) } ?? 0
        while buffer.count < length {
            guard try fill() else { throw Failure.closed(received: buffer.count) }
        }
        defer { buffer.removeFirst(length) }
        return Response(status: status, headers: headers, body: Array(buffer[..<length]))
    }

    /// Everything up to the end of the connection, whatever it is; what came before a reset counts too.
    package func receiveAll() -> [UInt8] {
        while (try? fill()) == true {}
        return buffer
    }

    /// - Returns: false at the end of the connection.
    private func fill() throws -> Bool {
        var piece = [UInt8](repeating: 0, count: 16_384)
        let count = unsafe piece.withUnsafeMutableBytes { unsafe recv(descriptor, $0.baseAddress, $0.count, 0) }
        guard count >= 0 else { throw Failure.system("recv", errno: errno) }
        buffer += piece[..<count]
        return count > 0
    }

    private static func headEnd(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (4...bytes.count).first { bytes[$0 - 4..<$0] == [13, 10, 13, 10] }
    }
}
