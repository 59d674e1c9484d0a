/// A pool's state at one moment, and its counts since it was made.
package struct PostgresPoolStatistics: Sendable, Hashable {
    /// The most sessions there may be.
    package var size: Int
    /// Sessions nobody uses, made or not yet made.
    package var idle: Int
    /// Sessions in use.
    package var leased: Int
    /// Callers that wait for a session.
    package var waiting: Int
    /// Calls that got a session.
    package var acquired: Int
    /// Calls that had to wait for a session, those that got none included.
    package var waited: Int
    /// How long they have waited together.
    package var waitingTime: Duration
    /// Calls that waited too long.
    package var timedOut: Int
    /// Connections made, reconnections included.
    package var connects: Int
}
