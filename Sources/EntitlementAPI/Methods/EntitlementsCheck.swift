package import EntitlementDomain
package import JSON
package import JSONRPC

/// `entitlements.check`: one entitlement of a key, yes or no.
package enum EntitlementsCheck: APIMethod {
    package struct Parameters: Sendable, Hashable {
        package var key: KeyParameters
        package var entitlement: String
        /// The instant asked about; nil: now.
        package var at: Instant?
    }

    package struct Response: APIResponse {
        package var entitlement: String
        /// Nil: never held.
        package var source: EntitlementSource?
        package var position: LogPosition

        package init(entitlement: String, source: EntitlementSource?, position: LogPosition) {
            self.entitlement = entitlement
            self.source = source
            self.position = position
        }

        package func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("position", position.description)
            writer.member("entitlement", entitlement)
            writer.member("active", source?.isActive ?? false)
            writer.member("state", source?.answeredState.rawValue ?? "none")
            writer.member("expiresAt", source?.expiresAt?.iso8601)
            writer.endObject()
        }

        package static let schema: JSONValue = [
            "type": "object", "required": ["position", "entitlement", "active", "state", "expiresAt"],
            "properties": [
                "position": SchemaComponent.position.reference,
                "entitlement": ["type": "string"],
                "active": ["type": "boolean"],
                "state": [
                    "type": "string",
                    "enum": .array((EntitlementState.allCases.map(\.rawValue) + ["none"]).map { .string($0) }),
                ],
                "expiresAt": ["type": ["string", "null"], "format": "date-time"],
            ],
        ]
    }

    private static let entitlement = CommonParameters.text(
        "entitlement",
        "The entitlement's id in the catalog.",
        maximumBytes: 128
    ).required

    package static let name = "entitlements.check"
    package static let scope: Scope? = .read
    package static let summary = "Whether a key has one entitlement."
    package static let declared = KeyParameters.declared + [entitlement.described, CommonParameters.at.described]
    package static let reasons: [ErrorReason] = [.notFound, .positionNotReached]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        Parameters(
            key: try KeyParameters(reader),
            entitlement: try reader.required(entitlement),
            at: try reader.optional(CommonParameters.at)
        )
    }
}
