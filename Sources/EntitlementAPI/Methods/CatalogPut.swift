package import EntitlementDomain
package import JSON
package import JSONRPC

/// `catalog.put`: puts a catalog into force.
package enum CatalogPut: APIMethod {
    package struct Parameters: Sendable {
        package var catalog: JSONValue
    }

    package struct Response: APIResponse {
        package var position: LogPosition
        /// False when this catalog was in force already.
        package var isChanged: Bool

        package init(position: LogPosition, isChanged: Bool) {
            self.position = position
            self.isChanged = isChanged
        }

        package func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("position", position.description)
            writer.member("changed", isChanged)
            writer.endObject()
        }

        package static let schema: JSONValue = [
            "type": "object", "required": ["position", "changed"],
            "properties": ["position": SchemaComponent.position.reference, "changed": ["type": "boolean"]],
        ]
    }

    private static let catalog = Parameter<JSONValue>(
        "catalog",
        "The whole catalog: entitlements, currencies, products.",
        isRequired: true,
        expectation: "an object",
        schema: SchemaComponent.catalog.reference,
        read: { $0.objectValue == nil ? nil : $0 }
    )

    package static let name = "catalog.put"
    package static let scope: Scope? = .admin
    package static let summary = "Puts a catalog into force, as an event; all its problems are reported at once."
    package static let declared = [catalog.described]
    package static let reasons: [ErrorReason] = []

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        Parameters(catalog: try reader.required(catalog))
    }

    /// The error for a catalog with these problems.
    package static func invalid(_ problems: [String]) -> JSONRPCError {
        ParameterReader.invalid("catalog", "catalog has problems: " + problems.joined(separator: "; "))
    }
}
