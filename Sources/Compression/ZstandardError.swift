/// What libzstd could not do.
package struct ZstandardError: Error, Sendable, Hashable, CustomStringConvertible {
    /// For people: what was wrong.
    package let reason: String

    package var description: String { "Zstandard: \(reason)" }

    init(_ reason: String) {
        self.reason = reason
    }
}
