package import EntitlementDomain
package import JSON
package import JSONRPC

/// `audit.checkpoint`: the newest signed checkpoint of the log.
package enum AuditCheckpoint: APIMethod {
    package struct Parameters: Sendable, Hashable {}

    package struct Response: APIResponse {
        package var position: LogPosition
        /// In lower-case hexadecimal.
        package var hash: String
        package var signedAt: Instant
        package var keyID: String
        package var token: String

        package init(position: LogPosition, hash: String, signedAt: Instant, keyID: String, token: String) {
            self.position = position
            self.hash = hash
            self.signedAt = signedAt
            self.keyID = keyID
            self.token = token
        }

        package func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("position", position.description)
            writer.member("hash", hash)
            writer.member("signedAt", signedAt.iso8601)
            writer.member("keyId", keyID)
            writer.member("token", token)
            writer.endObject()
        }

        package static let schema: JSONValue = [
            "type": "object", "required": ["position", "hash", "signedAt", "keyId", "token"],
            "properties": [
                "position": SchemaComponent.position.reference,
                "hash": ["type": "string", "description": "The hash of the event at this position."],
                "signedAt": ["type": "string", "format": "date-time"],
                "keyId": ["type": "string", "description": "The kid in /.well-known/jwks.json."],
                "token": ["type": "string", "description": "All of this as a JWS (EdDSA): what to keep."],
            ],
        ]
    }

    package static let name = "audit.checkpoint"
    package static let scope: Scope? = .audit
    package static let summary =
        "The newest signed checkpoint: keep it, and prove later that history was not rewritten."
    package static let declared: [ParameterDescription] = []
    package static let reasons: [ErrorReason] = [.notFound]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        Parameters()
    }
}
