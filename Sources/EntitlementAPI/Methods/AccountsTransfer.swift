package import EntitlementDomain
package import JSONRPC

/// `accounts.transfer`: gives one line, or all lines of an account, to another account.
package enum AccountsTransfer: APIMethod {
    package struct Parameters: Sendable, Hashable {
        /// One line, or the account that gives all its lines.
        package var subject: KeyParameters.Subject
        package var toAccount: AccountID
        package var command: CommandParameters

        package init(subject: KeyParameters.Subject, toAccount: AccountID, command: CommandParameters) {
            self.subject = subject
            self.toAccount = toAccount
            self.command = command
        }
    }

    package typealias Response = CommandResponse

    private static let toAccount = CommonParameters.uuid("toAccount", "The new owner.")

    package static let name = "accounts.transfer"
    package static let scope: Scope? = .admin
    package static let summary = "Gives one line, or all lines of an account, to another account, whoever owned them."
    package static let declared = SubjectParameters.declared + [toAccount.described] + CommandParameters.declared
    package static let reasons: [ErrorReason] = [.notFound, .idempotencyMismatch]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        let command = try CommandParameters(reader)
        let account = try reader.optional(CommonParameters.account)
        // For one line the new owner may as well be called account, as in accounts.link.
        if let line = try reader.optional(CommonParameters.originalTransactionID) {
            if let to = try reader.optional(toAccount) ?? account {
                return Parameters(subject: .originalTransactionID(line), toAccount: to, command: command)
            }
        } else if let account, let to = try reader.optional(toAccount) {
            if to == account { throw ParameterReader.invalid("toAccount", "toAccount must be another account") }
            return Parameters(subject: .account(account), toAccount: to, command: command)
        }
        throw ParameterReader.invalid(
            "toAccount",
            "toAccount must be given, and either originalTransactionId (one line) or account (all its lines)"
        )
    }
}
