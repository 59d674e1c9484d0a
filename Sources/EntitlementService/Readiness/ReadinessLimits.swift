/// What is still ready, and what is not any more.
package struct ReadinessLimits: Sendable, Hashable {
    /// How long the database may take to answer.
    package var databaseTime: Duration = .seconds(2)
    /// How long the change feed may be silent. Long before, answers are read from the database.
    package var feedLag: Duration = .seconds(30)
    /// How long a statement may wait to be written.
    package var writerTime: Duration = .seconds(15)

    package init() {}
}
