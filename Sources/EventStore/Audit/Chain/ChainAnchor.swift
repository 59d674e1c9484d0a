/// A position and the hash that the log must have there: what a checkpoint vouches for.
package struct ChainAnchor: Sendable, Hashable {
    package var position: Int64
    package var hash: [UInt8]

    package init(position: Int64, hash: [UInt8]) {
        self.position = position
        self.hash = hash
    }
}
