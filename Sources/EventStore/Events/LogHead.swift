package import EntitlementDomain

/// Where the log ends: the place and the hash that the next event follows.
package struct LogHead: Sendable, Hashable {
    package var epoch: Int
    /// Position of the last event; 0 before the first.
    package var position: Int64
    /// Hash of the last event; 32 zero bytes before the first.
    package var hash: [UInt8]

    package init(epoch: Int, position: Int64, hash: [UInt8]) {
        self.epoch = epoch
        self.position = position
        self.hash = hash
    }

    /// The position as clients see it.
    package var logPosition: LogPosition { LogPosition(epoch: epoch, number: position) }
}
