package import EntitlementDomain
package import JSONRPC

/// `accounts.setAppAccountToken`: has the App Store put an account's token on a purchase, and gives it to the account.
package enum AccountsSetAppAccountToken: APIMethod {
    package struct Parameters: Sendable, Hashable {
        package var account: AccountID
        package var originalTransactionID: String
        /// The app; nil: whichever knows the id.
        package var bundleID: String?
        package var command: CommandParameters
    }

    package typealias Response = CommandResponse

    private static let account = CommonParameters.account.required
    private static let originalTransactionID = CommonParameters.originalTransactionID.required

    package static let name = "accounts.setAppAccountToken"
    package static let scope: Scope? = .admin
    package static let summary =
        "Sets appAccountToken of a purchase at the App Store, so that later statements carry it, and transfers the line."
    package static let declared =
        [account.described, originalTransactionID.described, PurchasesRestore.bundleID.described]
        + CommandParameters.declared
    package static let reasons: [ErrorReason] = [
        .notFound, .wrongBundle, .idempotencyMismatch, .upstreamUnavailable, .upstreamRejected,
    ]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        Parameters(
            account: try reader.required(account),
            originalTransactionID: try reader.required(originalTransactionID),
            bundleID: try reader.optional(PurchasesRestore.bundleID),
            command: try CommandParameters(reader)
        )
    }
}
