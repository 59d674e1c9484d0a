/// How a `Traffic` behaves.
package struct TrafficOptions: Sendable {
    /// How often each kind of work is chosen, relative to the others.
    package struct Mix: Sendable {
        /// Signed statements: three notifications to each upload, a third of them first purchases.
        package var statements = 1
        /// `entitlements.get` and `entitlements.check` of one account.
        package var lookups = 0
        /// `entitlements.getMany` of twenty accounts.
        package var many = 0
        /// `changes.list`, a long poll.
        package var polls = 0
        /// `balances.spend` of one coin.
        package var spends = 0

        package init() {}

        /// What a service meets in its life: mostly look-ups.
        package static var daily: Mix {
            var mix = Mix()
            (mix.statements, mix.lookups, mix.many, mix.polls, mix.spends) = (8, 24, 2, 1, 2)
            return mix
        }
    }

    /// Where a service listens.
    package struct Target: Sendable, Hashable {
        /// An IPv4 address.
        package var address: String
        package var port: Int

        package init(address: String = "127.0.0.1", port: Int) {
            self.address = address
            self.port = port
        }
    }

    /// Accounts, ids and the order of all work follow from it.
    package var seed: UInt64
    /// An API key with the scopes read and submit; needed for all but notifications.
    package var key: String
    package var mix = Mix()
    /// Connections at the same time.
    package var workers = 8
    /// Works a second of all workers together; nil: as fast as they are answered.
    package var rate: Double?
    /// Every how many statements one is delivered twice at once and again later.
    package var duplicateEvery = 4
    /// How many statements wait at the same time, to be taken in any order.
    package var window = 64
    /// How many seconds to wait for an answer before the connection is given up.
    package var patience = 10
    /// How long to wait after a failure, in milliseconds.
    package var pauseMilliseconds = 20

    /// Statements alone, as fast as they are answered.
    package init(seed: UInt64, key: String) {
        self.seed = seed
        self.key = key
    }
}
