/// A cut through the log: what had been recorded by then.
package enum KnownAt: Sendable, Hashable {
    /// All events recorded up to this time.
    case time(Instant)
    /// All events up to this position.
    case position(LogPosition)
}
