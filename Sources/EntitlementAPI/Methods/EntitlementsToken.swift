package import EntitlementDomain
package import JSON
package import JSONRPC

/// `entitlements.token`: the answer of `entitlements.get` for now as a signed JWT (RFC 7519), to be verified offline.
package enum EntitlementsToken: APIMethod {
    package struct Parameters: Sendable, Hashable {
        package var key: KeyParameters
        /// The longest validity, in seconds.
        package var ttlSeconds: Int64
        /// The `aud` claim; nil: none.
        package var audience: String?

        package init(key: KeyParameters, ttlSeconds: Int64 = 3_600, audience: String? = nil) {
            self.key = key
            self.ttlSeconds = ttlSeconds
            self.audience = audience
        }
    }

    package struct Response: APIResponse {
        /// The JWT in compact serialization (RFC 7515 section 3.1).
        package var token: String
        /// The `exp` claim: from this instant on the token is not valid.
        package var expiresAt: Instant
        package var position: LogPosition

        package init(token: String, expiresAt: Instant, position: LogPosition) {
            self.token = token
            self.expiresAt = expiresAt
            self.position = position
        }

        package func write(to writer: inout JSONWriter) {
            writer.beginObject()
            writer.member("position", position.description)
            writer.member("token", token)
            writer.member("expiresAt", expiresAt.iso8601)
            writer.endObject()
        }

        package static let schema: JSONValue = [
            "type": "object", "required": ["position", "token", "expiresAt"],
            "properties": [
                "position": SchemaComponent.position.reference,
                "token": [
                    "type": "string",
                    "description": .string(
                        "A JWT with alg EdDSA; the keys are at /.well-known/jwks.json. Claims: iss, sub (the account, or "
                            + "the originalTransactionId), aud, iat, nbf, exp, position, environment, entitlements "
                            + "({id: {active, state, expiresAt}}) and balances."
                    ),
                ],
                "expiresAt": [
                    "type": "string", "format": "date-time",
                    "description": "When the token ends: never after the next change that the clock alone can bring.",
                ],
            ],
        ]
    }

    private static let ttl = CommonParameters.integer(
        "ttl",
        "The longest validity in seconds; default 3600. It ends earlier where the clock changes the answer.",
        in: 1...86_400
    )

    private static let audience = CommonParameters.text(
        "audience",
        "Whom the token is for: its aud claim; default none.",
        maximumBytes: 200
    )

    package static let name = "entitlements.token"
    package static let scope: Scope? = .read
    package static let summary = "What a key is entitled to now, as a signed JWT that is verified offline."
    package static let declared =
        KeyParameters.declared.filter { $0.name != CommonParameters.knownAt.name } + [
            ttl.described, audience.described,
        ]
    package static let reasons: [ErrorReason] = [.positionNotReached]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        Parameters(
            key: try KeyParameters(reader),
            ttlSeconds: try reader.optional(ttl) ?? 3_600,
            audience: try reader.optional(audience)
        )
    }
}
