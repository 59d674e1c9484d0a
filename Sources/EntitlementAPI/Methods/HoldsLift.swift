package import EntitlementDomain
package import JSONRPC

/// `holds.lift`: lifts a hold; access returns when no other hold is on.
package enum HoldsLift: APIMethod {
    package struct Parameters: Sendable, Hashable {
        package var subject: KeyParameters.Subject
        package var holdID: AccountID
        package var command: CommandParameters
    }

    package typealias Response = CommandResponse

    private static let holdID = CommonParameters.uuid("holdId", "The hold, as holds.place named it.").required

    package static let name = "holds.lift"
    package static let scope: Scope? = .admin
    package static let summary = "Lifts one hold; access returns when the last one is lifted."
    package static let declared = SubjectParameters.declared + [holdID.described] + CommandParameters.declared
    package static let reasons: [ErrorReason] = [.notFound, .idempotencyMismatch]

    package static func read(_ reader: ParameterReader) throws(JSONRPCError) -> Parameters {
        Parameters(
            subject: try SubjectParameters.read(reader),
            holdID: try reader.required(holdID),
            command: try CommandParameters(reader)
        )
    }
}
