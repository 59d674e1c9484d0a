/// Why stored bytes give no text.
struct EvidenceError: Error, Hashable, CustomStringConvertible {
    /// For people: what was wrong.
    var reason: String

    var description: String { "the stored text cannot be read: \(reason)" }

    init(_ reason: String) {
        self.reason = reason
    }
}
