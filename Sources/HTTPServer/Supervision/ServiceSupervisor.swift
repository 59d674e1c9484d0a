import Glibc

/// Tells the process that started a server how it is doing, in systemd's protocol (sd_notify(3)): datagrams to the
/// socket that the variable `NOTIFY_SOCKET` names. Without that variable nothing happens.
package struct ServiceSupervisor: Sendable {
    /// What can be told.
    package enum State: String, Sendable {
        /// Requests are answered, or answered again after a reload.
        case ready = "READY=1"
        case reloading = "RELOADING=1"
        /// The end has begun: what was accepted is finished.
        case stopping = "STOPPING=1"
    }

    private let path: String?

    /// - Parameter environment: the process's variables.
    package init(environment: [String: String]) {
        path = environment["NOTIFY_SOCKET"]
    }

    /// Whether someone wants to be told.
    package var isThere: Bool { path != nil }

    /// Tells the state, once, without waiting.
    ///
    /// - Parameter status: one line for people; `systemctl status` shows it.
    /// - Returns: whether someone was told.
    @discardableResult
    package func tell(_ state: State, status: String? = nil) -> Bool {
        guard let path, let address = SocketAddress(path) else { return false }
        let socket = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { return false }
        defer { close(socket) }
        var text = state.rawValue
        if let status { text += "\nSTATUS=\(status)" }
        return address.send(Array(text.utf8), over: socket)
    }

    /// An address in the file system, or, with `@` for the first byte, in the abstract space.
    private struct SocketAddress {
        private let path: [UInt8]

        init?(_ text: String) {
            var path = Array(text.utf8)
            guard path.count > 1, path.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path),
                path[0] == UInt8(ascii: "/") || path[0] == UInt8(ascii: "@")
            else { return nil }
            if path[0] == UInt8(ascii: "@") { path[0] = 0 }
            self.path = path
        }

        func send(_ bytes: [UInt8], over socket: Int32) -> Bool {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
            let size = socklen_t(MemoryLayout.offset(of: \sockaddr_un.sun_path)! + path.count)
            let flags = Int32(MSG_NOSIGNAL | MSG_DONTWAIT)
            let sent = unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    unsafe sendto(socket, bytes, bytes.count, flags, address, size)
                }
            }
            return sent == bytes.count
        }
    }
}
