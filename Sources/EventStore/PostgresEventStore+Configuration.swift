package import EntitlementDomain

extension PostgresEventStore {
    /// How the store is set up.
    package struct Configuration: Sendable {
        /// A libpq connection string.
        package var connectionString: String
        /// The role to work as, when the connection is made as another one (`SET ROLE`); nil: as the one connected.
        package var role: String?
        /// Sessions for reading; the writer has one of its own.
        package var readers: Int
        /// How long a read waits for a session; it fails as unavailable then.
        package var waitForReader: Duration
        package var policy: Policy
        package var optimisticAppends: OptimisticAppends
        /// How often to look where the feed ends without a reason.
        package var feedInterval: Duration
        /// Whether nothing is ever written: for look-ups from a standby.
        package var isReadOnly = false

        package init(
            connectionString: String,
            role: String? = nil,
            readers: Int = 4,
            waitForReader: Duration = .seconds(5),
            policy: Policy = Policy(),
            optimisticAppends: OptimisticAppends = OptimisticAppends(),
            feedInterval: Duration = .milliseconds(100)
        ) {
            self.connectionString = connectionString
            self.role = role
            self.readers = readers
            self.waitForReader = waitForReader
            self.policy = policy
            self.optimisticAppends = optimisticAppends
            self.feedInterval = feedInterval
        }
    }
}
