package import JSON

/// A JSON-RPC call: the method and its parameters by name.
package struct ScenarioCall: Sendable, Hashable {
    package var method: String
    package var params: JSONObject

    package init(method: String, params: JSONObject = JSONObject()) {
        self.method = method
        self.params = params
    }
}
