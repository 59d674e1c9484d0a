import Glibc

/// A Unix socket that accepts connections into its backlog and never answers.
struct SilentListener {
    private let descriptor: Int32

    struct Failure: Error {
        var errno: Int32
    }

    init(path: String) throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let bound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(descriptor, $0, size) }
        }
        guard bound == 0, listen(descriptor, 8) == 0 else { throw Failure(errno: errno) }
    }

    func close() {
        _ = Glibc.close(descriptor)
    }
}
