package import EntitlementDomain

/// What a rebuild made.
package struct RebuildReport: Sendable, Hashable {
    /// The position of the log that the projections stand at.
    package var position: LogPosition
    /// Events that were read at first; those that came meanwhile are not counted.
    package var eventCount: Int64
    package var lineCount: Int64
    package var accountCount: Int64
    /// Bytes that went to files on the way.
    package var fileBytes: Int64
    /// Whether it went on with the work of a run that was stopped.
    package var isResumed: Bool
}
