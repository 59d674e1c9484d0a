import Dispatch
import Glibc
import Synchronization
import Testing

/// A client that sends exactly the bytes it is told to. All its waiting is done on threads of its own, and ends after
/// ten seconds.
@safe final class RawClient: @unchecked Sendable {
    // Guarded by its use: a test makes one call at a time.

    struct Failure: Error {
        let reason: String
    }

    struct Response: Sendable {
        var status: Int
        /// The fields as they came.
        var fields: [String]
        var body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }

        func field(_ name: String) -> String? {
            fields.first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
                .map { String($0.dropFirst(name.count + 1).drop { $0 == " " }) }
        }
    }

    let descriptor: Int32
    private var buffer: [UInt8] = []
    private let isClosed = Mutex(false)

    init(port: UInt16, isIPv6: Bool = false) throws {
        descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        unsafe setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_RCVTIMEO,
            &timeout,
            socklen_t(MemoryLayout<timeval>.size)
        )
        let result: Int32
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            address.sin6_addr = in6addr_loopback
            result = unsafe withUnsafePointer(to: &address) { pointer in
                let raw = unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
                return unsafe connect(descriptor, raw, socklen_t(MemoryLayout<sockaddr_in6>.size))
            }
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
            result = unsafe withUnsafePointer(to: &address) { pointer in
                let raw = unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
                return unsafe connect(descriptor, raw, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard result == 0 else { throw Failure(reason: "connect: errno \(errno)") }
    }

    deinit { disconnect() }

    func disconnect() {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        if isFirst { close(descriptor) }
    }

    // MARK: Steps of a test

    func send(_ text: String) async throws {
        try await send(Array(text.utf8))
    }

    func send(_ bytes: [UInt8]) async throws {
        try await onOwnThread { try self.sendAll(bytes) }
    }

    /// The next response. A HEAD request's response has no body whatever its length says.
    func response(toHead: Bool = false) async throws -> Response {
        try await onOwnThread { try self.readResponse(toHead: toHead) }
    }

    func exchange(_ text: String) async throws -> Response {
        try await send(text)
        return try await response()
    }

    /// Reads until that many bytes have come, and gives them.
    func bytes(_ count: Int) async throws -> [UInt8] {
        try await onOwnThread {
            while self.buffer.count < count { try self.fill() }
            defer { self.buffer.removeFirst(count) }
            return Array(self.buffer[..<count])
        }
    }

    /// Reads the head of a response and leaves its body.
    func head() async throws -> Response {
        try await onOwnThread { try self.readHead() }
    }

    /// The next chunk of a chunked body; empty at its end.
    func chunk() async throws -> [UInt8] {
        try await onOwnThread { try self.readChunk() }
    }

    /// Whether the server closes the connection, whatever it sends before.
    func isClosedByServerAtLast() async -> Bool {
        let failure = await #expect(throws: Failure.self) {
            try await self.onOwnThread { while true { try self.fill() } }
        }
        return failure?.reason == "closed" || failure?.reason == "recv: errno \(ECONNRESET)"
    }

    /// Whether the server closes the connection (in either manner) without sending more.
    func isClosedByServer() async -> Bool {
        let more: Bool? = try? await onOwnThread {
            if !self.buffer.isEmpty { return true }
            var byte: UInt8 = 0
            let count = unsafe recv(self.descriptor, &byte, 1, 0)
            if count < 0 && errno == EAGAIN { throw Failure(reason: "still open") }
            return count > 0
        }
        return more == false
    }

    // MARK: Blocking parts

    private func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "client").async { continuation.resume(with: Result(catching: body)) }
        }
    }

    private func sendAll(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes[sent...].withUnsafeBytes {
                unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw Failure(reason: "send: errno \(errno)") }
            sent += count
        }
    }

    private func fill() throws {
        var part = [UInt8](repeating: 0, count: 65536)
        let count = unsafe recv(descriptor, &part, part.count, 0)
        if count < 0 { throw Failure(reason: "recv: errno \(errno)") }
        if count == 0 { throw Failure(reason: "closed") }
        buffer += part[..<count]
    }

    private func readLine() throws -> String {
        while true {
            if let end = buffer.firstIndex(of: 0x0A) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeFirst(end + 1)
                return line.last == "\r" ? String(line.dropLast()) : line
            }
            try fill()
        }
    }

    private func readHead() throws -> Response {
        let statusLine = try readLine()
        let words = statusLine.split(separator: " ")
        guard words.count >= 2, let status = Int(words[1]) else { throw Failure(reason: "no status: \(statusLine)") }
        var response = Response(status: status, fields: [], body: [])
        while true {
            let line = try readLine()
            if line.isEmpty { return response }
            response.fields.append(line)
        }
    }

    private func readChunk() throws -> [UInt8] {
        guard let size = Int(try readLine(), radix: 16) else { throw Failure(reason: "no chunk size") }
        while buffer.count < size { try fill() }
        let chunk = Array(buffer[..<size])
        buffer.removeFirst(size)
        guard try readLine().isEmpty else { throw Failure(reason: "no end of chunk") }
        return chunk
    }

    private func readResponse(toHead: Bool) throws -> Response {
        var response = try readHead()
        if toHead || response.status == 100 || response.status == 204 { return response }
        if response.field("Transfer-Encoding") == "chunked" {
            while true {
                let chunk = try readChunk()
                if chunk.isEmpty { return response }
                response.body += chunk
            }
        }
        let length = response.field("Content-Length").flatMap { Int($0) } ?? 0
        while buffer.count < length { try fill() }
        response.body = Array(buffer[..<length])
        buffer.removeFirst(length)
        return response
    }
}

/// Closes the sending side only.
func shutdownSending(_ client: RawClient) {
    _ = shutdown(client.descriptor, Int32(SHUT_WR))
}
