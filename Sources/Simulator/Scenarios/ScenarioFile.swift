package import JSON

/// One scenario: a story of signed statements, and what the service must answer. Format: `Tests/Fixtures/Scenarios`.
package struct ScenarioFile: Sendable {
    /// In which orders the deliveries are played.
    package enum Orders: String, Sendable, CaseIterable {
        /// As listed, and no other way.
        case listed
        /// In every order; see `DeliveryOrders`.
        case all
    }

    /// The file's name without its folder.
    package let fileName: String
    /// The story in a few words; the file's name where the file says none.
    package let name: String
    /// What goes wrong in a careless implementation.
    package let about: String?
    /// The catalog object, the file's own or the one beside it.
    package let catalog: JSONValue
    /// The settings that differ from the defaults.
    package let policy: JSONObject
    /// What reaches the service, in the order listed.
    package let deliveries: [ScenarioDelivery]
    package let orders: Orders
    /// Whether the whole list is delivered a second time, after which the answers must be the same.
    package let repeats: Bool
    /// The answers.
    package let expectations: [ScenarioExpectation]
}
