package import EntitlementDomain

/// What a check of the log found.
package struct ChainReport: Sendable {
    /// The first and the last position that were to be checked; an empty log has 1 and 0.
    package var from: Int64
    package var to: Int64
    /// The log's head when the check began.
    package var head: LogPosition
    /// Events whose hash was found right.
    package var eventCount: Int64 = 0
    /// Stored texts whose digest was found right.
    package var evidenceCount: Int64 = 0
    /// Signatures that were verified.
    package var signatureCount: Int64 = 0
    /// Stored texts of a kind whose signature was not verified.
    package var unverifiedCount: Int64 = 0
    /// Stored texts that nobody can read any more, because the account that they name was erased.
    package var erasedCount: Int64 = 0
    /// The stored hash of the last position that was reached.
    package var lastHash: [UInt8] = ChainWalk.zeros
    /// The first position that does not hold; nil: everything does.
    package var problem: ChainProblem?

    /// Whether everything that was checked is as it should be.
    package var holds: Bool { problem == nil }

    /// Keeps the fault with the lowest position.
    mutating func note(_ found: ChainProblem?) {
        guard let found else { return }
        if let problem, problem.position <= found.position { return }
        problem = found
    }
}
