internal import CLibcrypto

/// What can go wrong with keys and certificates, apart from an answer "not valid", which is a result and no error.
package enum X509Error: Error, Equatable, Sendable, CustomStringConvertible {
    /// The bytes are no certificate, or one this library refuses to hold. The text says why.
    case malformedCertificate(String)
    /// The bytes are no key of the wanted form. The text says why and never quotes the key.
    case malformedKey(String)
    /// libcrypto refused an operation that only fails for want of memory or of a working library.
    case libraryFailure(operation: String, reason: String)

    package var description: String {
        switch self {
        case .malformedCertificate(let reason): "Not a usable certificate: \(reason)."
        case .malformedKey(let reason): "Not a usable key: \(reason)."
        case .libraryFailure(let operation, let reason): "libcrypto could not \(operation): \(reason)."
        }
    }

    /// A failure of `operation`, with the reason from this thread's error queue, which is emptied.
    static func library(_ operation: String) -> X509Error {
        .libraryFailure(operation: operation, reason: LibraryErrors.takeReason())
    }
}
