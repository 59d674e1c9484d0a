import Synchronization

/// What new connections speak TLS with, which can be replaced while a server runs.
final class TLSCredentialHolder: Sendable {
    private let state: Mutex<TLSCredentials>

    init(_ credentials: TLSCredentials) {
        state = Mutex(credentials)
    }

    var current: TLSCredentials { state.withLock { $0 } }

    func replace(_ credentials: TLSCredentials) {
        state.withLock { $0 = credentials }
    }
}
