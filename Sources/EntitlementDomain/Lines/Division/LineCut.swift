/// Where a long line was divided into its head and the earlier transactions that are kept elsewhere.
///
/// What lies behind the cut is settled: its periods were taken over by later ones, so they give no access any more.
package struct LineCut: Sendable, Hashable {
    /// No purchase and no statement behind the cut is dated later, and everything before it begins later. Facts that are
    /// dated later change nothing behind the cut.
    package var settledUntil: Instant
    /// The latest revocation behind the cut; nil: none.
    package var revokedUntil: Instant?
    /// From this instant on the head answers as the whole line does; for earlier ones the whole line is needed.
    package var answersFrom: Instant

    package init(settledUntil: Instant, revokedUntil: Instant?, answersFrom: Instant) {
        self.settledUntil = settledUntil
        self.revokedUntil = revokedUntil
        self.answersFrom = answersFrom
    }
}
