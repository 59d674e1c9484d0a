package import X509

/// Why a signed statement was not accepted. Messages are safe to send back: they hold nothing of the payload.
package enum VerificationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Longer than the configured limit, in bytes. Nothing was decoded.
    case tooLarge(limit: Int)
    /// No signed statement of the form the App Store sends. The text says what is wrong.
    case malformed(String)
    /// The signature is not the one of the leaf's key over these bytes.
    case badSignature
    /// Leaf and intermediate are not the App Store's, whatever the date.
    case untrustedChain(ChainFailure)
    /// Signed by a single certificate, as Xcode does it, and that is not a configured one.
    case unknownXcodeCertificate
    /// Chain and signature are good, but this certificate had expired at the signing date.
    case certificateExpired(CertificateRole)
    /// Chain and signature are good, but this certificate was not valid yet at the signing date.
    case certificateNotYetValid(CertificateRole)
    /// The verifier itself failed; the statement may be good.
    case unavailable(String)

    /// Whether the same statement may be accepted later, so that it is worth keeping and trying again.
    ///
    /// True for dates (the statement is genuine; a clock or a renewed certificate may mend it) and for a failure of the
    /// verifier. A forgery is never temporary.
    package var isTemporary: Bool {
        switch self {
        case .certificateExpired, .certificateNotYetValid, .unavailable: true
        case .tooLarge, .malformed, .badSignature, .untrustedChain, .unknownXcodeCertificate: false
        }
    }

    package var description: String {
        switch self {
        case .tooLarge(let limit): "The signed statement is longer than \(limit) bytes."
        case .malformed(let reason): "Not a signed App Store statement: \(reason)."
        case .badSignature: "The signature does not belong to this statement."
        case .untrustedChain(let failure): "The certificates are not trusted: \(failure)."
        case .unknownXcodeCertificate:
            "The statement is signed by one certificate, as in Xcode, and that certificate is not configured as trusted."
        case .certificateExpired(let role): "The \(role) certificate had expired when the statement was signed."
        case .certificateNotYetValid(let role):
            "The \(role) certificate was not valid yet when the statement was signed."
        case .unavailable(let reason): "The statement could not be verified now: \(reason)"
        }
    }
}
