import Glibc

/// A bound and listening TCP socket. It is made here and not by libmicrohttpd, which would not say why it failed.
struct ListeningSocket: Sendable {
    let descriptor: Int32
    /// The real port, also when any free one was asked for.
    let port: UInt16
    let isIPv6: Bool

    /// - Throws: `HTTPServerError` that names address and port.
    init(address: String, port: UInt16) throws(HTTPServerError) {
        var hints = unsafe addrinfo()
        unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(address, String(port), &hints, &found)
        guard code == 0, let info = unsafe found else {
            throw .addressNotAvailable(address: address, reason: unsafe String(cString: gai_strerror(code)))
        }
        defer { unsafe freeaddrinfo(info) }

        let family = unsafe info.pointee.ai_family
        let flags = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        descriptor = socket(family, flags, 0)
        isIPv6 = family == AF_INET6
        guard descriptor >= 0 else { throw ListeningSocket.error(address, port) }
        // Without this a restarted server would have to wait for the old connections to be forgotten.
        ListeningSocket.setOption(descriptor, SOL_SOCKET, SO_REUSEADDR, 1)
        if isIPv6 { ListeningSocket.setOption(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, 0) }
        guard unsafe bind(descriptor, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0,
            listen(descriptor, 1024) == 0
        else {
            let error = ListeningSocket.error(address, port)
            close(descriptor)
            throw error
        }
        self.port = ListeningSocket.port(descriptor)
    }

    /// The meaning of `errno` here.
    private static func error(_ address: String, _ port: UInt16) -> HTTPServerError {
        switch errno {
        case EADDRINUSE: .addressInUse(address: address, port: port)
        case EACCES, EPERM: .permissionDenied(address: address, port: port)
        default: .addressNotAvailable(address: address, reason: unsafe String(cString: strerror(errno)))
        }
    }

    private static func setOption(_ descriptor: Int32, _ level: Int32, _ name: Int32, _ value: Int32) {
        var value = value
        unsafe setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    private static func port(_ descriptor: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            let address = unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: sockaddr.self)
            guard unsafe getsockname(descriptor, address, &length) == 0 else { return 0 }
            // IPv4 and IPv6 addresses have their port at the same place.
            return unsafe UnsafeRawPointer(pointer).assumingMemoryBound(to: sockaddr_in.self).pointee.sin_port.bigEndian
        }
    }
}
