package import EntitlementDomain
package import JSONRPC

/// `entitlements.get`: all entitlements and balances of a key.
package enum EntitlementsGet: APIMethod {
    package struct Parameters: Sendable, Hashable {
        package var key: KeyParameters
        /// The instant asked about; nil: now.
        package var at: Instant?

        package init(key: KeyParameters, at: Instant? = nil) {
            self.key = key
            self.at = at
        }
    }

    package typealias Response = SnapshotResponse

    package static let name = "entitlements.get"
    package static let scope: Scope? = .read
    package static let summary = "All entitlements and balances of an account, or of one line of purchases."
    package static let declared = KeyParameters.declared + [CommonParameters.at.described]
    package static let reasons: [ErrorReason] = [.notFound, .positionNotReached]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        Parameters(key: try KeyParameters(reader), at: try reader.optional(CommonParameters.at))
    }
}
