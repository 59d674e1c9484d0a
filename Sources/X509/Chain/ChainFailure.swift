/// Why a chain of certificates is not valid.
package enum ChainFailure: Hashable, Sendable, CustomStringConvertible {
    /// The leaf names another issuer than the intermediate that came with it.
    case issuerMismatch
    /// No configured root has the name of the intermediate's issuer.
    case unknownRoot
    /// The signature on this certificate was not made by the key above it.
    case badSignature(CertificateRole)
    /// The certificate does not bear the extension that marks its role.
    case missingMarker(CertificateRole)
    /// The certificate issued another one without being a certificate authority.
    case notACertificateAuthority(CertificateRole)
    /// An authority allows fewer intermediates below it than there are.
    case pathLengthExceeded
    /// The key is of a kind that is not accepted in this role.
    case unsupportedKey(CertificateRole)
    /// The certificate bears a critical extension that nobody here knows how to obey (RFC 5280 section 4.2).
    case unhandledCriticalExtension(CertificateRole)
    /// Another rule of RFC 5280 is broken; the text names it.
    case refused(CertificateRole, reason: String)
    /// Everything else holds, but this certificate had expired at the date asked about.
    case expired(CertificateRole)
    /// Everything else holds, but this certificate was not valid yet at the date asked about.
    case notYetValid(CertificateRole)

    /// Whether the chain fails for lack of trust, whatever the date.
    package var isIndependentOfTime: Bool {
        switch self {
        case .expired, .notYetValid: false
        default: true
        }
    }

    package var description: String {
        switch self {
        case .issuerMismatch: "the leaf was not issued by the intermediate that came with it"
        case .unknownRoot: "the intermediate was not issued by a configured root"
        case .badSignature(let role): "the signature on the \(role) does not verify"
        case .missingMarker(let role): "the \(role) lacks the extension that marks its role"
        case .notACertificateAuthority(let role): "the \(role) is not a certificate authority"
        case .pathLengthExceeded: "the chain is longer than one of its authorities allows"
        case .unsupportedKey(let role): "the \(role) has a key of a kind that is not accepted"
        case .unhandledCriticalExtension(let role): "the \(role) bears an unknown critical extension"
        case .refused(let role, let reason): "the \(role) is refused: \(reason)"
        case .expired(let role): "the \(role) had expired"
        case .notYetValid(let role): "the \(role) was not valid yet"
        }
    }
}
