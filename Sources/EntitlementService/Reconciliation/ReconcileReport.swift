package import EntitlementDomain

/// What one run of reconciliation did.
package struct ReconcileReport: Sendable, Hashable {
    /// The notification history of one app in one environment.
    package struct History: Sendable, Hashable {
        package var bundleID: String
        package var environment: StoreEnvironment
        /// The time whose notifications were fetched, whole or failures only.
        package var from: Instant
        package var until: Instant
        package var onlyFailures: Bool
        /// The notifications that the App Store listed.
        package var notifications = 0
        /// Those that the log did not have.
        package var appended = 0
        /// Those that cannot be used.
        package var refused = 0
        /// Those that cannot be verified now and were kept aside.
        package var parked = 0
        /// The time whose notifications the App Store does not keep any more.
        package var outOfReach: Gap?
        /// Why it did not come to its end.
        package var problem: String?

        init(bundleID: String, environment: StoreEnvironment, from: Instant, until: Instant, onlyFailures: Bool) {
            self.bundleID = bundleID
            self.environment = environment
            self.from = from
            self.until = until
            self.onlyFailures = onlyFailures
        }
    }

    /// A span of time.
    package struct Gap: Sendable, Hashable {
        package var from: Instant
        package var until: Instant
    }

    package var histories: [History] = []
    /// Lines looked at.
    package var lines = 0
    /// Lines that the App Store was asked about, by what was suspicious about them.
    package var asked: [String: Int] = [:]
    /// Statements about such lines that the log did not have.
    package var appendedAboutLines = 0
    /// Calls of the App Store Server API.
    package var calls: Int64 = 0
    /// Why the run ended early; nil: it is complete.
    package var stop: String?

    package init() {}
}
