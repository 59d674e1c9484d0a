/// The state of the writer at one moment, and its counts since it was made.
package struct AppenderStatistics: Sendable, Hashable {
    /// Requests that are not durable yet: in the queue, and in the group that is being written.
    package var waiting: Int
    /// How long the oldest of them has waited; zero: none waits.
    package var longestWait: Duration
    /// Groups written, each in a transaction of its own.
    package var groups: Int
    /// Requests in those groups.
    package var requests: Int
    /// Time spent on writing them.
    package var busy: Duration
}
