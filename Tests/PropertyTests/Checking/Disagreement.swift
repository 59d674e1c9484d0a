import EntitlementDomain

/// A property that does not hold for a history.
struct Disagreement: CustomStringConvertible {
    /// Which law or rule.
    var property: String
    /// The instant asked about, when one was.
    var instant: Instant?
    var detail: String

    var description: String {
        "\(property)\(instant.map { " at \($0.iso8601)" } ?? ""): \(detail)"
    }
}
