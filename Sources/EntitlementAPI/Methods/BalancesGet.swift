import EntitlementDomain
package import JSONRPC

/// `balances.get`: the credits of a key.
package enum BalancesGet: APIMethod {
    package typealias Parameters = EntitlementsGet.Parameters
    package typealias Response = BalancesResponse

    package static let name = "balances.get"
    package static let scope: Scope? = .read
    package static let summary = "The balance of every currency that was ever credited to a key."
    package static let declared = EntitlementsGet.declared
    package static let reasons: [ErrorReason] = [.notFound, .positionNotReached]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        try EntitlementsGet.read(reader)
    }
}
