package import EntitlementDomain
package import JSONRPC

/// `accounts.link`: makes an account the owner of a line that nobody owns.
package enum AccountsLink: APIMethod {
    package struct Parameters: Sendable, Hashable {
        package var account: AccountID
        package var originalTransactionID: String
        package var command: CommandParameters
    }

    package typealias Response = CommandResponse

    private static let account = CommonParameters.account.required
    private static let originalTransactionID = CommonParameters.originalTransactionID.required

    package static let name = "accounts.link"
    package static let scope: Scope? = .admin
    package static let summary = "Makes an account the owner of a line that nobody owns; it then wins over every token."
    package static let declared = [account.described, originalTransactionID.described] + CommandParameters.declared
    package static let reasons: [ErrorReason] = [.notFound, .ownershipConflict, .idempotencyMismatch]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        Parameters(
            account: try reader.required(account),
            originalTransactionID: try reader.required(originalTransactionID),
            command: try CommandParameters(reader)
        )
    }
}
