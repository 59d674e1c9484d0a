import Postgres

/// How the store's sessions and its writer are doing.
package struct StoreStatistics: Sendable, Hashable {
    /// The sessions for reading.
    package struct Sessions: Sendable, Hashable {
        /// Sessions nobody uses, made or not yet made.
        package var idle: Int
        package var used: Int
        /// Calls that wait for one now.
        package var waiting: Int
        /// Calls that got one so far.
        package var acquired: Int
        /// Calls that had to wait for one so far, and how long together.
        package var waited: Int
        package var waitingTime: Duration
        /// Calls that got none in time so far.
        package var timedOut: Int
        /// Connections made so far.
        package var connects: Int
    }

    package var sessions: Sessions
    /// Look-ups of accounts that are not answered yet.
    package var lookups: Int
    package var appender: AppenderStatistics
    /// How often the writer has connected: more than once means that its session was lost.
    package var writerConnects: Int
}

extension PostgresEventStore {
    /// How the sessions and the writer are doing now.
    package var statistics: StoreStatistics {
        let pool = pool.statistics
        return StoreStatistics(
            sessions: StoreStatistics.Sessions(
                idle: pool.idle,
                used: pool.leased,
                waiting: pool.waiting,
                acquired: pool.acquired,
                waited: pool.waited,
                waitingTime: pool.waitingTime,
                timedOut: pool.timedOut,
                connects: pool.connects
            ),
            lookups: multiplexer.load,
            appender: appender.statistics,
            writerConnects: writer.connectCount
        )
    }
}
