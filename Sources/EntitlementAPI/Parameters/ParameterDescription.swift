package import JSON

/// What the OpenRPC document says of one parameter.
package struct ParameterDescription: Sendable {
    package let name: String
    package let summary: String
    package let isRequired: Bool
    package let schema: JSONValue
}
