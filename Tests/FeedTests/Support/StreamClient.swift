import Dispatch
import EntitlementDomain
import Glibc
import JSON
import Synchronization

/// A client of an event stream: one request on one connection, read as it comes. All its waiting is done on a thread of its
/// own, and ends after ten seconds.
final class StreamClient: Sendable {
    struct Failure: Error {
        let reason: String
    }

    /// One event of the stream.
    struct Event: Sendable {
        var id: String?
        var name: String?
        var data: JSONValue
    }

    private let descriptor: Int32
    private let text = Mutex("")
    private let isClosed = Mutex(false)
    private let queue = DispatchQueue(label: "stream-client")

    /// - Parameter version: over HTTP/1.0 the body comes without the framing of chunks.
    init(port: Int, target: String, key: String, headers: [String] = [], version: String = "1.0") throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var timeout = timeval(tv_sec: 10, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        let result = unsafe withUnsafePointer(to: &address) { pointer in
            let raw = unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            return unsafe connect(descriptor, raw, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
        guard result == 0 else { throw Failure(reason: "connect: errno \(errno)") }
        let lines = ["GET \(target) HTTP/\(version)", "Host: x", "Authorization: Bearer \(key)"] + headers
        var request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        let sent = unsafe send(descriptor, &request, request.count, Int32(MSG_NOSIGNAL))
        guard sent == request.count else { throw Failure(reason: "send: errno \(errno)") }
    }

    deinit { disconnect() }

    func disconnect() {
        let isFirst = isClosed.withLock { isClosed in
            defer { isClosed = true }
            return !isClosed
        }
        if isFirst { close(descriptor) }
    }

    /// The head of the response.
    func head() async throws -> String {
        try await take(through: "\r\n\r\n")
    }

    /// The next event; comments before it are skipped.
    func event() async throws -> Event {
        while true {
            let block = try await take(through: "\n\n")
            var event = Event(data: .null)
            var isComment = true
            for line in block.split(separator: "\n") where !line.hasPrefix(":") {
                guard let colon = line.firstIndex(of: ":") else { continue }
                let value = line[line.index(after: colon)...].drop { $0 == " " }
                isComment = false
                switch line[..<colon] {
                case "id": event.id = String(value)
                case "event": event.name = String(value)
                case "data": event.data = try JSONParser.parse(Array(value.utf8))
                default: break
                }
            }
            if !isComment { return event }
        }
    }

    /// So many events.
    func events(_ count: Int) async throws -> [Event] {
        var events: [Event] = []
        for _ in 0..<count { events.append(try await event()) }
        return events
    }

    /// Everything up to and with a text.
    func take(through end: String) async throws -> String {
        while true {
            let found = text.withLock { text -> String? in
                guard let range = text.firstRange(of: end) else { return nil }
                defer { text.removeSubrange(..<range.upperBound) }
                return String(text[..<range.upperBound])
            }
            if let found { return found }
            guard let more = try await receive() else { throw Failure(reason: "the stream has ended") }
            text.withLock { $0 += more }
        }
    }

    /// Everything up to the end of the connection.
    func rest() async throws -> String {
        while let more = try await receive() { text.withLock { $0 += more } }
        return text.withLock { $0 }
    }

    /// Nil at the end.
    private func receive() async throws -> String? {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [descriptor] in
                var buffer = [UInt8](repeating: 0, count: 16_384)
                let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
                if count < 0 {
                    continuation.resume(throwing: Failure(reason: "recv: errno \(errno)"))
                } else {
                    continuation.resume(
                        returning: count == 0 ? nil : String(decoding: buffer[..<count], as: UTF8.self)
                    )
                }
            }
        }
    }
}
