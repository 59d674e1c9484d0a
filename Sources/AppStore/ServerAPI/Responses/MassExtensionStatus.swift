package import EntitlementDomain

/// How far an extension for all subscribers is (App Store Server API, MassExtendRenewalDateStatusResponse).
package struct MassExtensionStatus: Sendable, Hashable {
    package var requestIdentifier: String?
    package var isComplete: Bool
    package var completedAt: Instant?
    package var succeededCount: Int?
    package var failedCount: Int?

    init(_ reader: ResponseReader) throws(ServerAPIError) {
        var members = MemberReader(reader.object)
        guard let isComplete = members.flag("complete") else { throw .malformedResponse("complete is missing") }
        self.isComplete = isComplete
        requestIdentifier = members.identifier("requestIdentifier")
        completedAt = members.instant("completeDate")
        succeededCount = members.smallInteger("succeededCount")
        failedCount = members.smallInteger("failedCount")
    }
}
