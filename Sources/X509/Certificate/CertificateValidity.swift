/// The period in which a certificate may be used, both ends included (RFC 5280 section 4.1.2.5).
package struct CertificateValidity: Hashable, Sendable {
    /// The first instant, in milliseconds since 1970-01-01T00:00:00Z.
    package var notBefore: Int64
    /// The last instant, in milliseconds since 1970-01-01T00:00:00Z.
    package var notAfter: Int64

    /// A period from `notBefore` to `notAfter`, in milliseconds since 1970.
    package init(notBefore: Int64, notAfter: Int64) {
        self.notBefore = notBefore
        self.notAfter = notAfter
    }

    /// Whether `instant`, in milliseconds since 1970, lies within.
    package func contains(_ instant: Int64) -> Bool {
        notBefore <= instant && instant <= notAfter
    }

    /// Why a certificate in `role` with this period cannot be used at `instant`, in milliseconds since 1970; nil when
    /// it can.
    package func failure(of role: CertificateRole, at instant: Int64) -> ChainFailure? {
        if instant > notAfter { return .expired(role) }
        if instant < notBefore { return .notYetValid(role) }
        return nil
    }
}
