import Glibc

/// Questions to the system about sockets that are not being read.
enum PeerWatch {
    /// POLLRDHUP of Linux, which the C library shows only to GNU sources: the peer has closed its side.
    private static let peerClosed: Int16 = 0x2000

    /// For each descriptor, whether the peer has closed its side or the connection is broken.
    static func haveClosed(_ descriptors: [Int32]) -> [Bool] {
        var entries = descriptors.map { pollfd(fd: $0, events: peerClosed, revents: 0) }
        guard unsafe poll(&entries, nfds_t(entries.count), 0) > 0 else {
            return [Bool](repeating: false, count: entries.count)
        }
        return entries.map { $0.revents & (peerClosed | Int16(POLLHUP | POLLERR)) != 0 }
    }

    /// Whether something has come that nobody has read yet: on any of the descriptors.
    static func hasUnread(_ descriptors: [Int32]) -> Bool {
        var entries = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        guard unsafe poll(&entries, nfds_t(entries.count), 0) > 0 else { return false }
        // The end of a connection can be read too, and is nothing to answer.
        return entries.contains { entry in
            guard entry.revents & Int16(POLLIN) != 0 else { return false }
            var byte: UInt8 = 0
            return unsafe recv(entry.fd, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) > 0
        }
    }

    /// Whether nothing is left to read and nothing will come.
    static func isAtEnd(_ descriptor: Int32) -> Bool {
        var byte: UInt8 = 0
        return unsafe recv(descriptor, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
    }
}
