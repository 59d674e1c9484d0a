/// Why bytes are no signed message that can be used.
package enum SignedMessageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// They are no PKCS#7 signed data with its content, one signer and that signer's certificate. The text says why.
    case malformed(String)
    /// The signature does not belong to the content.
    case badSignature
    /// libcrypto failed for want of memory or of a working library.
    case unavailable(String)

    package var description: String {
        switch self {
        case .malformed(let reason): "Not a usable signed message: \(reason)."
        case .badSignature: "The signature does not belong to the content."
        case .unavailable(let reason): reason
        }
    }
}
