import EntitlementDomain
package import JSONRPC

/// `holds.place`: suspends an account, a line, or one entitlement of it.
package enum HoldsPlace: APIMethod {
    package struct Parameters: Sendable, Hashable {
        package var subject: KeyParameters.Subject
        /// Nil: all entitlements of the subject.
        package var entitlement: String?
        /// Who places the hold, and is to lift it.
        package var owner: String
        package var command: CommandParameters
    }

    package typealias Response = CommandResponse

    private static let entitlement = CommonParameters.text(
        "entitlement",
        "Only this entitlement; default all of the subject's.",
        maximumBytes: 256
    )
    private static let owner = CommonParameters.text(
        "owner",
        "Who places the hold and will lift it: a team, a system.",
        maximumBytes: 200
    ).required
    private static let reason = CommandParameters.reason.required

    package static let name = "holds.place"
    package static let scope: Scope? = .admin
    package static let summary = "Suspends access of an account, a line, or one entitlement, until the hold is lifted."
    package static let declared =
        SubjectParameters.declared + [
            entitlement.described, owner.described, reason.described, CommonParameters.environment.described,
            CommandParameters.idempotencyKey.described,
        ]
    package static let reasons: [ErrorReason] = [.notFound, .idempotencyMismatch]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        let subject = try SubjectParameters.read(reader)
        _ = try reader.required(reason)
        return Parameters(
            subject: subject,
            entitlement: try reader.optional(entitlement),
            owner: try reader.required(owner),
            command: try CommandParameters(reader)
        )
    }
}
