package import EntitlementDomain

/// How the live projections compare with a fresh fold of the log.
package struct ReplayReport: Sendable {
    /// The position of the log that both stand at.
    package var position: LogPosition
    package var eventCount: Int64 = 0
    package var lineCount: Int64 = 0
    package var accountCount: Int64 = 0
    /// All differences; more than `differences` holds when there are very many.
    package var differenceCount: Int64 = 0
    /// The first differences, in the order of line and account.
    package var differences: [ProjectionDifference] = []
    /// Whether lines that only the log would have shown were looked for; false for one account of a long log.
    package var isComplete = true

    /// Whether the projections are what the log says.
    package var isEqual: Bool { differenceCount == 0 }
}
