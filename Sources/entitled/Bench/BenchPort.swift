import Glibc

/// TCP ports of this machine.
enum BenchPort {
    /// A port that nobody listens on at the moment.
    static func free() throws(CommandError) -> UInt16 {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(socket, pointer, length) == 0 && getsockname(socket, pointer, &length) == 0
            }
        }
        guard isBound else { throw CommandError(.unavailable, "no port of 127.0.0.1 is free") }
        return UInt16(bigEndian: address.sin_port)
    }

    /// Waits until somebody listens.
    static func wait(for port: UInt16) async throws {
        let deadline = ContinuousClock.now + .seconds(10)
        while !isOpen(port) {
            guard ContinuousClock.now < deadline else {
                throw CommandError(.unavailable, "nobody listens on port \(port) of 127.0.0.1")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private static func isOpen(_ port: UInt16) -> Bool {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = loopback(port)
        return unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe connect(socket, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }
}
