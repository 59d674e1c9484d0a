/// Why a server cannot start.
package enum HTTPServerError: Error, Sendable, Hashable {
    /// Another program listens there.
    case addressInUse(address: String, port: UInt16)
    /// Ports below 1024 need a privilege.
    case permissionDenied(address: String, port: UInt16)
    /// The address is not one of this machine, or not an address.
    case addressNotAvailable(address: String, reason: String)
    /// The installed libmicrohttpd was built without TLS.
    case tlsNotSupported
    /// Certificate and key do not work.
    case tlsRefused(reason: String)
    /// A setting makes no sense.
    case invalidConfiguration(reason: String)
    /// Something else went wrong.
    case failed(reason: String)
}

extension HTTPServerError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .addressInUse(let address, let port):
            "port \(port) of \(address) is in use: stop the other program or choose another port"
        case .permissionDenied(let address, let port):
            "no permission to listen on port \(port) of \(address): ports below 1024 need a privilege"
        case .addressNotAvailable(let address, let reason):
            "cannot listen on \(address): \(reason)"
        case .tlsNotSupported:
            "the installed libmicrohttpd was built without TLS: put a proxy in front or install one with TLS"
        case .tlsRefused(let reason):
            "certificate and key cannot be used: \(reason)"
        case .invalidConfiguration(let reason):
            "the server's configuration is not valid: \(reason)"
        case .failed(let reason):
            "the server cannot start: \(reason)"
        }
    }
}
