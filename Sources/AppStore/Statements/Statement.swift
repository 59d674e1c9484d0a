package import EntitlementDomain
package import X509

/// A verified statement of the App Store, ready to be appended to the log.
package struct Statement: Sendable {
    /// What makes a second delivery of it known.
    package var identity: StatementIdentity
    /// The door through which it came in.
    package var source: EventSource
    /// As the statement names it; empty when it names none.
    package var environment: StoreEnvironment
    /// The app; empty for a kind of notification that is not known and names none.
    package var bundleID: String
    /// The line of purchases that the facts belong to; nil when there are none.
    package var line: LineID?
    /// What the fold applies.
    package var facts: StatementFacts
    /// A notification's `notificationType` as sent.
    package var notificationType: String?
    /// A notification's `subtype` as sent.
    package var subtype: String?
    /// When it was signed.
    package var signedAt: Instant
    /// The whole decoded statement as canonical JSON: an object with `notification` (the envelope without the signed
    /// texts inside it), `transaction`, `renewalInfo` and `appTransaction`, as far as they were there.
    package var payload: [UInt8]
    /// The signed texts exactly as received: one of a notification, one or two of an upload.
    package var evidence: [[UInt8]]
    /// SHA-256 over each text of `evidence`.
    package var evidenceDigests: [SHA256Digest]
}
