package import JSON

/// What a delivery must be answered. With nothing set: 200 to a notification, no error to a call.
package struct ScenarioAnswer: Sendable, Hashable {
    /// The HTTP status of a notification.
    package var http: Int?
    /// The `data.reason` of the error of a call.
    package var error: String?
    /// What the result of a call must contain.
    package var result: JSONValue?
    /// Whether it must be refused (a 4xx, or any error of a call) without an event being appended.
    package var isRefused = false

    package init(http: Int? = nil, error: String? = nil, result: JSONValue? = nil, isRefused: Bool = false) {
        self.http = http
        self.error = error
        self.result = result
        self.isRefused = isRefused
    }
}
