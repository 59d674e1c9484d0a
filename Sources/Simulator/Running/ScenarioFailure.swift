/// Something that did not come out as the file says.
package struct ScenarioFailure: Error, Sendable, Hashable {
    /// The ids of the deliveries in the order played.
    package var order: [String]
    /// Whether that is the order of the file.
    package var isListedOrder: Bool
    /// 1 for the first delivery of the list, 2 for its repetition.
    package var pass: Int
    /// What failed: "delivery d2" or "expectation 3, line 57: …".
    package var place: String
    /// What the file says.
    package var expected: String
    /// What the service said, JSON without white space.
    package var got: String
    /// The first place where the two differ, as a JSON pointer; nil where the whole differs.
    package var differsAt: String?
}
