package import EntitlementDomain
package import JSONRPC

/// `grants.revoke`: ends a grant now.
package enum GrantsRevoke: APIMethod {
    package struct Parameters: Sendable, Hashable {
        package var account: AccountID
        package var grantID: AccountID
        package var command: CommandParameters
    }

    package typealias Response = CommandResponse

    private static let account = CommonParameters.account.required
    private static let grantID = CommonParameters.uuid("grantId", "The grant, as grants.issue named it.").required

    package static let name = "grants.revoke"
    package static let scope: Scope? = .admin
    package static let summary = "Ends a grant now."
    package static let declared = [account.described, grantID.described] + CommandParameters.declared
    package static let reasons: [ErrorReason] = [.notFound, .idempotencyMismatch]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        Parameters(
            account: try reader.required(account),
            grantID: try reader.required(grantID),
            command: try CommandParameters(reader)
        )
    }
}
