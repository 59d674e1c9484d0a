import Foundation
import Glibc
import Synchronization

/// The network between a service and its database: a TCP port on this machine whose connections go on to the server's
/// socket, unless told otherwise.
final class Relay: Sendable {
    /// What happens to bytes that come in.
    enum Mode: Sendable, Equatable {
        case open
        /// Each piece arrives this much later.
        case slow(milliseconds: UInt32)
        /// Nothing arrives, in neither direction.
        case silent
        /// What the service sends arrives; the answers do not.
        case deaf
        /// Nobody answers at the port: connections are closed at once.
        case refusing
    }

    private struct State {
        var mode = Mode.open
        var links: [ObjectIdentifier: Link] = [:]
        var isClosed = false
    }

    /// One connection and its other half.
    private final class Link: Sendable {
        let near: Int32
        let far: Int32

        init(near: Int32, far: Int32) {
            self.near = near
            self.far = far
        }

        deinit {
            Glibc.close(near)
            Glibc.close(far)
        }

        /// Ends both, as a firewall does that has forgotten a connection.
        func cut() {
            shutdown(near, Int32(SHUT_RDWR))
            shutdown(far, Int32(SHUT_RDWR))
        }
    }

    let port: Int
    private let listener: Int32
    private let path: String
    private let state = Mutex(State())

    /// - Parameter path: the server's socket.
    init(to path: String) throws {
        self.path = path
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listener = listener
        let bound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { general in
                unsafe bind(listener, general, size) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, general, &size) == 0
            }
        }
        guard bound else { throw RunningProgram.SystemError(call: "bind", code: errno) }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in accept() }
    }

    /// Changes what happens to bytes from now on.
    func set(_ mode: Mode) { state.withLock { $0.mode = mode } }

    /// Ends all connections there are.
    func cut() {
        for link in state.withLock({ Array($0.links.values) }) { link.cut() }
    }

    /// Ends everything.
    func close() {
        state.withLock { $0.isClosed = true }
        shutdown(listener, Int32(SHUT_RDWR))
        cut()
    }

    private func accept() {
        while true {
            let near = Glibc.accept(listener, nil, nil)
            let (mode, isClosed) = state.withLock { ($0.mode, $0.isClosed) }
            if isClosed {
                if near >= 0 { Glibc.close(near) }
                Glibc.close(listener)
                return
            }
            if near < 0 { continue }
            _ = fcntl(near, F_SETFD, FD_CLOEXEC)
            guard mode != .refusing, let far = connectToServer() else {
                Glibc.close(near)
                continue
            }
            let link = Link(near: near, far: far)
            state.withLock { $0.links[ObjectIdentifier(link)] = link }
            Thread.detachNewThread { self.pump(link, fromService: true) }
            Thread.detachNewThread { self.pump(link, fromService: false) }
        }
    }

    private func connectToServer() -> Int32? {
        let far = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8) + [0]
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: bytes) }
        let connected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe connect(far, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if connected == 0 { return far }
        Glibc.close(far)
        return nil
    }

    private func pump(_ link: Link, fromService: Bool) {
        let (source, sink) = fromService ? (link.near, link.far) : (link.far, link.near)
        var piece = [UInt8](repeating: 0, count: 65_536)
        forward: while true {
            let count = unsafe piece.withUnsafeMutableBytes { unsafe recv(source, $0.baseAddress, $0.count, 0) }
            if count <= 0 { break }
            while true {
                let mode = state.withLock { $0.isClosed ? .open : $0.mode }
                if case .slow(let milliseconds) = mode { usleep(milliseconds * 1_000) }
                if mode != .silent && (fromService || mode != .deaf) { break }
                usleep(5_000)
            }
            var start = 0
            while start < count {
                let sent = unsafe piece.withUnsafeBytes { bytes in
                    unsafe send(sink, bytes.baseAddress! + start, count - start, Int32(MSG_NOSIGNAL))
                }
                if sent <= 0 { break forward }
                start += sent
            }
        }
        link.cut()
        state.withLock { _ = $0.links.removeValue(forKey: ObjectIdentifier(link)) }
    }
}
