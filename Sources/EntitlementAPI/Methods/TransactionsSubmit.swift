package import EntitlementDomain
package import JSONRPC

/// `transactions.submit`: verifies and appends what StoreKit 2 gave the app; answers with the snapshot.
package enum TransactionsSubmit: APIMethod {
    package struct Parameters: Sendable, Hashable {
        /// `jwsRepresentation` of a StoreKit 2 transaction.
        package var signedTransaction: String
        /// `jwsRepresentation` of its renewal info.
        package var signedRenewalInfo: String?
        /// The account it is for; nil: whoever owns the line.
        package var account: AccountID?
    }

    package typealias Response = SnapshotResponse

    /// The largest signed text that is looked at.
    package static let maximumStatementBytes = 256 * 1_024

    private static let signedTransaction = CommonParameters.text(
        "signedTransaction",
        "The transaction's jwsRepresentation from StoreKit 2.",
        maximumBytes: maximumStatementBytes
    ).required
    private static let signedRenewalInfo = CommonParameters.text(
        "signedRenewalInfo",
        "The renewal info's jwsRepresentation.",
        maximumBytes: maximumStatementBytes
    )

    package static let name = "transactions.submit"
    package static let scope: Scope? = .submit
    package static let summary =
        "Verifies a signed transaction, appends it, and answers with the entitlements of its account (or of its line)."
    package static let declared = [
        signedTransaction.described, signedRenewalInfo.described, CommonParameters.account.described,
    ]
    package static let reasons: [ErrorReason] = [
        .notFound, .invalidSignature, .invalidChain, .certificateExpired, .wrongBundle, .wrongEnvironment,
        .malformedStatement,
        .ownershipConflict,
    ]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        Parameters(
            signedTransaction: try reader.required(signedTransaction),
            signedRenewalInfo: try reader.optional(signedRenewalInfo),
            account: try reader.optional(CommonParameters.account)
        )
    }
}
