import X509

/// A header segment whose certificates have been verified, apart from their dates: what one chain needs to be remembered.
///
/// The same text always names the same certificates, so the text itself is the key under which it is found.
final class TrustedHeader: Sendable {
    /// What the certificates are.
    enum Source {
        /// Leaf and intermediate below a configured root.
        case chain(ValidatedChain)
        /// A configured StoreKit test certificate.
        case xcode(Certificate, P256PublicKey)
    }

    /// The segment exactly as received.
    let segment: [UInt8]
    /// SHA-256 over the segment and the full stop behind it: every signing input with this header begins so.
    let signingInputHash: SHA256
    /// Verifies with the key of the leaf, or of the one certificate.
    let verifier: P256RepeatedVerifier
    let trust: StatementTrust
    let fingerprint: SHA256Digest
    private let source: Source

    init(segment: Span<UInt8>, source: Source) {
        self.segment = segment.copiedBytes
        var hash = SHA256()
        hash.update(segment)
        hash.update([UInt8(ascii: ".")])
        signingInputHash = hash
        self.source = source
        switch source {
        case .chain(let chain):
            verifier = P256RepeatedVerifier(chain.publicKey)
            trust = .appStore
            fingerprint = chain.fingerprint
        case .xcode(let certificate, let key):
            verifier = P256RepeatedVerifier(key)
            trust = .xcode
            fingerprint = certificate.fingerprint
        }
    }

    /// Whether this is what stands in `segment`.
    func isMade(of segment: Span<UInt8>) -> Bool {
        let own = self.segment
        return own.span.hasSameBytes(as: segment)
    }

    /// Whether all certificates were valid at `instant`, in milliseconds since 1970.
    ///
    /// Throws ``VerificationError/certificateExpired(_:)`` or ``VerificationError/certificateNotYetValid(_:)``.
    func checkDates(at instant: Int64) throws(VerificationError) {
        let failure =
            switch source {
            case .chain(let chain): chain.failure(at: instant)
            case .xcode(let certificate, _): certificate.validity.failure(of: .leaf, at: instant)
            }
        switch failure {
        case nil: return
        case .expired(let role): throw .certificateExpired(role)
        case .notYetValid(let role): throw .certificateNotYetValid(role)
        case .some(let other): throw .untrustedChain(other)
        }
    }
}
