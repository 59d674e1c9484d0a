/// A NOTIFY that reached a listening session.
package struct PostgresNotification: Sendable, Hashable {
    /// The channel it was sent on.
    package let channel: String
    /// Its text; empty where none was given.
    package let payload: String
    /// The process id of the server process that sent it.
    package let processID: Int32
}
