package import EntitlementDomain
package import JSON
package import JSONRPC

/// `purchases.restore`: fetches what the App Store knows of a customer's purchases and applies it.
package enum PurchasesRestore: APIMethod {
    package struct Parameters: Sendable, Hashable {
        package var originalTransactionID: String
        /// Nil: Production, and the Sandbox when Production does not know the id.
        package var environment: StoreEnvironment?
        /// The app; nil: whichever knows the id.
        package var bundleID: String?
    }

    /// The snapshot of the line, and what was fetched for it.
    package struct Response: APIResponse {
        package var snapshot: SnapshotResponse
        /// Signed statements that the App Store sent.
        package var fetched: Int
        /// Those that the log did not have.
        package var appended: Int
        /// Those that could not be used.
        package var refused: Int

        package init(snapshot: SnapshotResponse, fetched: Int, appended: Int, refused: Int) {
            self.snapshot = snapshot
            self.fetched = fetched
            self.appended = appended
            self.refused = refused
        }

        package func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("position", snapshot.position.description)
            writer.member("fetched", Int64(fetched))
            writer.member("appended", Int64(appended))
            writer.member("refused", Int64(refused))
            writer.key("snapshot")
            snapshot.write(to: &writer)
            writer.endObject()
        }

        package static var schema: JSONValue {
            [
                "type": "object", "required": ["position", "fetched", "appended", "refused", "snapshot"],
                "properties": [
                    "position": SchemaComponent.position.reference,
                    "fetched": ["type": "integer", "description": "Signed statements that the App Store sent."],
                    "appended": ["type": "integer", "description": "Those that the log did not have."],
                    "refused": ["type": "integer", "description": "Those that could not be used."],
                    "snapshot": SchemaComponent.snapshot.reference,
                ],
            ]
        }
    }

    private static let originalTransactionID = Parameter<String>(
        "originalTransactionId",
        "Any transaction id of the customer; the snapshot is of the line under it.",
        isRequired: true,
        expectation: "text of 1 to 64 characters (ids are never numbers)",
        schema: ["type": "string", "minLength": 1, "maxLength": 64],
        read: { $0.parameterText(maximumBytes: 64) }
    )
    private static let environment = Parameter<StoreEnvironment>(
        "environment",
        "The App Store environment; default: Production, and the Sandbox when Production does not know the id.",
        expectation: "\"Production\" or \"Sandbox\"",
        schema: ["type": "string", "enum": ["Production", "Sandbox"]],
        read: { value in
            let environment = value.stringValue.map { StoreEnvironment(rawValue: $0) }
            return environment.flatMap { [.production, .sandbox].contains($0) ? $0 : nil }
        }
    )
    static let bundleID = CommonParameters.text(
        "bundleId",
        "The app; default: whichever of the configured ones knows the purchase.",
        maximumBytes: 255
    )

    package static let name = "purchases.restore"
    package static let scope: Scope? = .submit
    package static let summary =
        "Fetches the history of a customer's purchases from the App Store, applies it, and answers with the snapshot."
    package static let declared = [originalTransactionID.described, environment.described, bundleID.described]
    package static let reasons: [ErrorReason] = [
        .notFound, .invalidSignature, .invalidChain, .certificateExpired, .wrongBundle, .wrongEnvironment,
        .malformedStatement, .upstreamUnavailable, .upstreamRejected,
    ]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        Parameters(
            originalTransactionID: try reader.required(originalTransactionID),
            environment: try reader.optional(environment),
            bundleID: try reader.optional(bundleID)
        )
    }
}
