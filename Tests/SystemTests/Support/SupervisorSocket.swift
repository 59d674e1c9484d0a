import Foundation
import Glibc

/// The socket of a supervisor that programs tell how they are doing.
final class SupervisorSocket: Sendable {
    let path: String
    private let descriptor: Int32

    init() throws {
        path = FileManager.default.temporaryDirectory.appending(path: "entitled-\(UUID().uuidString.prefix(8)).socket")
            .path(percentEncoded: false)
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var limit = timeval(tv_sec: 30, tv_usec: 0)
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
        let (descriptor, size) = (descriptor, socklen_t(MemoryLayout<sockaddr_un>.size))
        let code = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, size) }
        }
        guard code == 0 else { throw RunningProgram.SystemError(call: "bind", code: errno) }
    }

    deinit {
        close(descriptor)
        unsafe unlink(path)
    }

    /// The next message; waits half a minute for it.
    func next() async throws -> String {
        let descriptor = descriptor
        return try await onOwnThread {
            var buffer = [UInt8](repeating: 0, count: 4_096)
            let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
            guard count >= 0 else { throw RunningProgram.SystemError(call: "recv", code: errno) }
            return String(decoding: buffer[..<count], as: UTF8.self)
        }
    }
}
