package import EntitlementDomain
package import JSONRPC

/// `grants.issue`: gives an account an entitlement without a purchase.
package enum GrantsIssue: APIMethod {
    package struct Parameters: Sendable, Hashable {
        package var account: AccountID
        package var entitlement: String
        package var startsAt: Instant?
        package var expiresAt: Instant?
        package var command: CommandParameters
    }

    package typealias Response = CommandResponse

    private static let account = CommonParameters.account.required
    private static let entitlement = CommonParameters.text(
        "entitlement",
        "An entitlement of the catalog.",
        maximumBytes: 256
    ).required
    private static let startsAt = CommonParameters.time("startsAt", "When it begins; default now.")
    private static let expiresAt = CommonParameters.time("expiresAt", "When it ends; default never.")
    private static let reason = CommandParameters.reason.required
    private static let idempotencyKey = CommandParameters.idempotencyKey.required

    package static let name = "grants.issue"
    package static let scope: Scope? = .admin
    package static let summary = "Gives an account an entitlement without a purchase."
    package static let declared = [
        account.described, entitlement.described, startsAt.described, expiresAt.described, reason.described,
        idempotencyKey.described, CommonParameters.environment.described,
    ]
    package static let reasons: [ErrorReason] = [.notFound, .idempotencyMismatch]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        let parameters = Parameters(
            account: try reader.required(account),
            entitlement: try reader.required(entitlement),
            startsAt: try reader.optional(startsAt),
            expiresAt: try reader.optional(expiresAt),
            command: try CommandParameters(reader)
        )
        _ = try reader.required(reason)
        _ = try reader.required(idempotencyKey)
        if let end = parameters.expiresAt, let start = parameters.startsAt, end <= start {
            throw ParameterReader.invalid("expiresAt", "expiresAt must be after startsAt")
        }
        return parameters
    }
}
