package import EntitlementDomain
package import JSONRPC

/// Parameters that the company's commands share: where, why, and the key that makes a repetition harmless.
package struct CommandParameters: Sendable, Hashable {
    package var environment: StoreEnvironment
    package var reason: String?
    package var idempotencyKey: String?

    static let reason = CommonParameters.text("reason", "Why, for the audit.", maximumBytes: 1_000)
    static let idempotencyKey = CommonParameters.text(
        "idempotencyKey",
        "The same call under the same key has its effect once.",
        maximumBytes: 200
    )

    package static let declared = [
        CommonParameters.environment.described, reason.described, idempotencyKey.described,
    ]

    package init(_ reader: ParameterReader) throws(JSONRPCError) {
        environment = try reader.optional(CommonParameters.environment) ?? .production
        reason = try reader.optional(Self.reason)
        idempotencyKey = try reader.optional(Self.idempotencyKey)
    }
}
