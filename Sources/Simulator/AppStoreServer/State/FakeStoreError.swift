package import AppStore
package import X509

/// Why a fake App Store refuses or cannot.
package enum FakeStoreError: Error, Sendable, Equatable, CustomStringConvertible {
    /// As the API refuses.
    case refused(ServerAPIErrorCode)
    /// A command that names something that is not there.
    case unknown(String)
    /// libcrypto failed.
    case signing(X509Error)

    package var description: String {
        switch self {
        case .refused(let code): "\(code.rawValue): \(code.meaning)"
        case .unknown(let text): text
        case .signing(let error): error.description
        }
    }
}
