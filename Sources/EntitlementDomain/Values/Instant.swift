/// A point in time: whole milliseconds since 1970-01-01T00:00:00Z, the unit of every App Store payload.
package struct Instant: Sendable, Hashable, Comparable {
    /// Milliseconds since 1970-01-01T00:00:00Z; negative before.
    package var milliseconds: Int64

    /// Wraps milliseconds since 1970.
    package init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// The first instant that every part of the product can store: 0001-01-01T00:00:00Z.
    package static let distantPast = Instant(milliseconds: -62_135_596_800_000)
    /// The last instant that every part of the product can store: 9999-12-31T23:59:59.999Z.
    package static let distantFuture = Instant(milliseconds: 253_402_300_799_999)

    package static func < (left: Instant, right: Instant) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// This instant moved by milliseconds, kept within `distantPast ... distantFuture`.
    package func advanced(byMilliseconds span: Int64) -> Instant {
        let (sum, overflow) = milliseconds.addingReportingOverflow(span)
        if overflow { return span < 0 ? .distantPast : .distantFuture }
        return Swift.min(Swift.max(Instant(milliseconds: sum), .distantPast), .distantFuture)
    }
}
