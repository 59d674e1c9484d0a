package import JSON

/// One named parameter of a method: its type, the text of its errors and its JSON schema, declared once.
package struct Parameter<Value: Sendable>: Sendable {
    package let name: String
    /// What it means, for the OpenRPC document.
    package let summary: String
    package let isRequired: Bool
    /// What a value must be, completing the sentence "… must be".
    package let expectation: String
    /// JSON Schema (draft 7) of a value.
    package let schema: JSONValue
    /// Reads a value; nil when it is not what is expected.
    package let read: @Sendable (JSONValue) -> Value?

    package init(
        _ name: String,
        _ summary: String,
        isRequired: Bool = false,
        expectation: String,
        schema: JSONValue,
        read: @escaping @Sendable (JSONValue) -> Value?
    ) {
        self.name = name
        self.summary = summary
        self.isRequired = isRequired
        self.expectation = expectation
        self.schema = schema
        self.read = read
    }

    /// The same parameter for places that do not care for its type.
    package var described: ParameterDescription {
        ParameterDescription(name: name, summary: summary, isRequired: isRequired, schema: schema)
    }

    /// The same parameter, which must be present.
    package var required: Parameter {
        Parameter(name, summary, isRequired: true, expectation: expectation, schema: schema, read: read)
    }
}
