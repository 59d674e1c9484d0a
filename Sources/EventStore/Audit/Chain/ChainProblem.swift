/// The first place where the log does not hold, and what is wrong there.
package struct ChainProblem: Sendable, Hashable {
    /// What kind of fault it is. The raw values are part of the JSON-RPC contract.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Positions are missing.
        case positionMissing
        /// A position stands in the table twice.
        case positionRepeated
        /// The hash of an event does not follow from the event before it and its own columns.
        case hashMismatch
        /// The log does not end where table log_head says.
        case headMismatch
        /// A signed text that an event names is not stored.
        case evidenceMissing
        /// A stored text has another digest than the one it is stored under.
        case evidenceMismatch
        /// A stored text does not bear the signature that it was accepted with.
        case signatureInvalid
        /// The log has another hash at a checkpoint's position.
        case checkpointMismatch
    }

    /// The first position that does not hold.
    package var position: Int64
    package var kind: Kind
    /// A sentence for people.
    package var message: String

    package init(position: Int64, kind: Kind, message: String) {
        self.position = position
        self.kind = kind
        self.message = message
    }
}
