package import JSON

/// A call with its result, for people and for tests. `examples.json` has them as one story: in its order, on a new database
/// with the clock at one instant, each call has the result that stands beside it, but for what is drawn at random.
package struct MethodExample: Sendable {
    package let method: String
    package let name: String
    package let params: JSONObject
    package let result: JSONValue

    /// All examples, in the order of the story.
    package static let all: [MethodExample] = {
        let document = try? JSONParser.parse(PackageResources.examples_json)
        return (document?.arrayValue ?? []).compactMap { entry in
            guard let method = entry["method"]?.stringValue, let name = entry["name"]?.stringValue,
                let params = entry["params"]?.objectValue, let result = entry["result"]
            else { return nil }
            return MethodExample(method: method, name: name, params: params, result: result)
        }
    }()

    /// The example pairing object of the OpenRPC document.
    var pairing: JSONValue {
        [
            "name": .string(name),
            "params": .array(params.members.map { ["name": .string($0.key), "value": $0.value] }),
            "result": ["name": "result", "value": result],
        ]
    }
}
