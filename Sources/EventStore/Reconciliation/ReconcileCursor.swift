package import EntitlementDomain

/// How far the notification history of an app was fetched.
package struct ReconcileCursor: Sendable, Hashable {
    package var environment: StoreEnvironment
    package var bundleID: String
    /// Everything signed before is in the log, or was out of reach.
    package var fetchedUntil: Instant
    /// The log's epoch then.
    package var epoch: Int
    /// When everything was fetched last; nil: never to the end.
    package var everythingAt: Instant?
    /// When failures were fetched last.
    package var failuresAt: Instant?

    package init(
        environment: StoreEnvironment,
        bundleID: String,
        fetchedUntil: Instant,
        epoch: Int,
        everythingAt: Instant? = nil,
        failuresAt: Instant? = nil
    ) {
        self.environment = environment
        self.bundleID = bundleID
        self.fetchedUntil = fetchedUntil
        self.epoch = epoch
        self.everythingAt = everythingAt
        self.failuresAt = failuresAt
    }
}
