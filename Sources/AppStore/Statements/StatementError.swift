/// Why a statement was refused. Nothing of it may be stored.
package struct StatementError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason in answers; the raw value is the text on the wire.
    package enum Reason: String, Sendable, Hashable, CaseIterable {
        /// The signature does not belong to the bytes.
        case invalidSignature
        /// The certificates are not the App Store's, or not those of the environment that the statement claims.
        case invalidChain
        /// A certificate was not valid at the signing date, though chain and signature are good.
        case certificateExpired
        /// An app that is not configured here.
        case wrongBundle
        /// An environment that is not accepted here.
        case wrongEnvironment
        /// No statement, or one without what makes it usable.
        case malformedStatement
        /// The verification itself failed.
        case unavailable
    }

    package var reason: Reason
    /// What was wrong and what to do, safe to send back.
    package var message: String
    /// Whether the same statement may be accepted later: it may be parked and tried again.
    package var isTemporary: Bool

    package init(_ reason: Reason, _ message: String, isTemporary: Bool = false) {
        self.reason = reason
        self.message = message
        self.isTemporary = isTemporary
    }

    package var description: String { "\(reason.rawValue): \(message)" }
}
