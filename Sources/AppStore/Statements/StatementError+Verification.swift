extension StatementError {
    /// The refusal that a failed verification leads to.
    ///
    /// - Parameter subject: which of several signed texts failed, for the message ("transaction", "renewal info").
    init(_ error: VerificationError, subject: String) {
        let reason: Reason =
            switch error {
            case .tooLarge, .malformed: .malformedStatement
            case .badSignature: .invalidSignature
            case .untrustedChain, .unknownXcodeCertificate: .invalidChain
            case .certificateExpired, .certificateNotYetValid: .certificateExpired
            case .unavailable: .unavailable
            }
        self.init(reason, "The \(subject) was refused. \(error.description)", isTemporary: error.isTemporary)
    }
}
