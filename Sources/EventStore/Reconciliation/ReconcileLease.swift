package import EntitlementDomain

/// The right to reconcile, which one instance has at a time.
package struct ReconcileLease: Sendable, Hashable {
    /// Names the instance.
    package var holder: String
    /// The hour that calls are counted in.
    package var hour: Instant
    /// What was used of the hour's calls.
    package var calls: Int64

    package init(holder: String, hour: Instant, calls: Int64) {
        self.holder = holder
        self.hour = hour
        self.calls = calls
    }
}
