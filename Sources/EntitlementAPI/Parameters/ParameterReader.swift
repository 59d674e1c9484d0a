package import JSON
package import JSONRPC

/// Reads the named parameters of one call. Every fault is `invalidParams` (-32602) that names the parameter and says
/// what was expected.
package struct ParameterReader: Sendable {
    private let members: JSONObject

    /// - Parameters:
    ///   - params: the `params` of the call as sent.
    ///   - declared: the parameters that the method knows.
    package init(_ params: JSONValue?, declared: [ParameterDescription]) throws(JSONRPCError) {
        switch params {
        case nil: members = JSONObject()
        case .object(let object): members = object
        default:
            throw Self.invalid(nil, "params must be an object with named parameters")
        }
        for name in members.keys where !declared.contains(where: { $0.name == name }) {
            let known = declared.map(\.name).joined(separator: ", ")
            throw Self.invalid(
                name,
                "there is no parameter \"\(name.prefix(64))\"; "
                    + (known.isEmpty ? "the method has none" : "known: \(known)")
            )
        }
    }

    /// The value of a parameter that may be absent; an explicit null counts as absent.
    package func optional<Value>(_ parameter: Parameter<Value>) throws(JSONRPCError) -> Value? {
        guard let raw = members[parameter.name], !raw.isNull else { return nil }
        guard let value = parameter.read(raw) else {
            throw Self.invalid(parameter.name, "\(parameter.name) must be \(parameter.expectation)")
        }
        return value
    }

    /// The value of a parameter that must be present.
    package func required<Value>(_ parameter: Parameter<Value>) throws(JSONRPCError) -> Value {
        guard let value = try optional(parameter) else {
            throw Self.invalid(parameter.name, "\(parameter.name) is missing; it must be \(parameter.expectation)")
        }
        return value
    }

    /// An `invalidParams` error about one parameter, or about all of them.
    package static func invalid(_ parameter: String?, _ message: String) -> JSONRPCError {
        var data: JSONObject = ["reason": "invalidParams", "retryable": false]
        if let parameter { data.set("parameter", .string(String(parameter.prefix(64)))) }
        return .invalidParams(message, data: .object(data))
    }
}
