import JSONRPC

/// Reads whom a command is about: an account or a line, exactly one of them.
enum SubjectParameters {
    static let declared = [CommonParameters.account.described, CommonParameters.originalTransactionID.described]

    static func read(_ reader: ParameterReader) throws(JSONRPCError) -> KeyParameters.Subject {
        let account = try reader.optional(CommonParameters.account)
        let original = try reader.optional(CommonParameters.originalTransactionID)
        switch (account, original) {
        case (let account?, nil): return .account(account)
        case (nil, let original?): return .originalTransactionID(original)
        default:
            throw ParameterReader.invalid(
                "account",
                "exactly one of account and originalTransactionId must be given"
            )
        }
    }
}
