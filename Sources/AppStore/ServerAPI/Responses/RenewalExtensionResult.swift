package import EntitlementDomain

/// What came of extending one subscription (App Store Server API, ExtendRenewalDateResponse).
package struct RenewalExtensionResult: Sendable, Hashable {
    package var originalTransactionID: String?
    package var webOrderLineItemID: String?
    package var isSuccess: Bool
    /// The new end of the current period.
    package var effectiveAt: Instant?

    init(_ reader: ResponseReader) throws(ServerAPIError) {
        var members = MemberReader(reader.object)
        guard let isSuccess = members.flag("success") else { throw .malformedResponse("success is missing") }
        self.isSuccess = isSuccess
        originalTransactionID = members.identifier("originalTransactionId")
        webOrderLineItemID = members.identifier("webOrderLineItemId")
        effectiveAt = members.instant("effectiveDate")
    }
}
