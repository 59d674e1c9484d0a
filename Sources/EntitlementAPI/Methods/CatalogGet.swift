package import EntitlementDomain
package import JSON
package import JSONRPC

/// `catalog.get`: the catalog in force.
package enum CatalogGet: APIMethod {
    package struct Parameters: Sendable, Hashable {}

    package struct Response: APIResponse {
        /// The catalog as JSON; nil before the first.
        package var catalog: [UInt8]?
        package var position: LogPosition

        package init(catalog: [UInt8]?, position: LogPosition) {
            self.catalog = catalog
            self.position = position
        }

        package func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("position", position.description)
            writer.nullable("catalog", catalog) { $0.raw($1) }
            writer.endObject()
        }

        package static let schema: JSONValue = [
            "type": "object", "required": ["position", "catalog"],
            "properties": [
                "position": SchemaComponent.position.reference,
                "catalog": ["anyOf": [SchemaComponent.catalog.reference, ["type": "null"]]],
            ],
        ]
    }

    package static let name = "catalog.get"
    package static let scope: Scope? = .read
    package static let summary = "The catalog in force."
    package static let declared: [ParameterDescription] = []
    package static let reasons: [ErrorReason] = []

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        Parameters()
    }
}
