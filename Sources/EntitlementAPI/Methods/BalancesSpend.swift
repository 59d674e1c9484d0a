package import EntitlementDomain
package import JSONRPC

/// `balances.spend`: takes credits from an account, atomically, once for each idempotency key.
package enum BalancesSpend: APIMethod {
    package struct Parameters: Sendable, Hashable {
        package var account: AccountID
        package var currency: String
        package var amount: Int64
        package var command: CommandParameters
        package var idempotencyKey: String
    }

    package typealias Response = BalancesResponse

    private static let account = CommonParameters.account.required
    private static let currency = CommonParameters.text("currency", "A currency of the catalog.", maximumBytes: 256)
        .required
    private static let amount = CommonParameters.integer("amount", "Units to spend.", in: 1...1_000_000_000_000)
        .required
    private static let idempotencyKey = CommandParameters.idempotencyKey.required

    package static let name = "balances.spend"
    package static let scope: Scope? = .submit
    package static let summary = "Spends credits of an account; a repetition under the same key spends nothing."
    package static let declared = [
        account.described, currency.described, amount.described, idempotencyKey.described,
        CommonParameters.environment.described, CommandParameters.reason.described,
    ]
    package static let reasons: [ErrorReason] = [.notFound, .insufficientBalance, .idempotencyMismatch]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        Parameters(
            account: try reader.required(account),
            currency: try reader.required(currency),
            amount: try reader.required(amount),
            command: try CommandParameters(reader),
            idempotencyKey: try reader.required(idempotencyKey)
        )
    }
}
