package import EntitlementDomain

/// A stored text as a check of its signature sees it.
package struct StoredEvidence: Sendable {
    /// The first event of the checked range that names it.
    package var position: Int64
    package var source: EventSource?
    package var recordedAt: Instant
    /// Exactly as received.
    package var text: [UInt8]
}

/// What a check of a text's signature found.
package enum EvidenceVerdict: Sendable, Hashable {
    /// That many signatures were verified.
    case good(signatures: Int)
    /// It is of a kind that this check does not know; it was not verified.
    case unknownKind
    /// A signature is not good, for this reason.
    case bad(String)
}

/// Verifies the signatures of one stored text offline, at its signing date.
package typealias EvidenceCheck = @Sendable (StoredEvidence) -> EvidenceVerdict
