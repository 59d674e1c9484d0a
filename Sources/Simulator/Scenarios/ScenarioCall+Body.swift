package import JSON

extension ScenarioCall {
    /// The body of the call for `POST /rpc` (JSON-RPC 2.0 section 4).
    package func body(id: JSONValue = 1) -> [UInt8] {
        JSONValue.object([
            "jsonrpc": "2.0",
            "id": id,
            "method": .string(method),
            "params": .object(params),
        ]).serialized()
    }
}
