/// How often the log's last hash is signed, and where that is published.
package struct CheckpointConfiguration: Sendable {
    /// A directory that gets a file for every checkpoint; nil: they are only answered by `audit.checkpoint`.
    package var directory: String?
    /// From one checkpoint to the next, as long as there are new events.
    package var interval: Duration

    package init(directory: String? = nil, interval: Duration = .seconds(3_600)) {
        self.directory = directory
        self.interval = interval
    }
}
