package import JSON

/// What an Advanced Commerce subscription renews to (App Store Server API, advancedCommerceInfo of a renewal info).
package struct AdvancedCommerceRenewalInfo: Sendable, Hashable {
    /// The payload as it was signed, with the members that are not known here.
    package let raw: JSONObject
    /// The members that are there but cannot be used; each counts as absent.
    package let unreadable: [String]

    package let consistencyToken: String?
    package let descriptors: AdvancedCommerceDescriptors?
    package let items: [AdvancedCommerceRenewalItem]?
    /// ISO 8601 duration of the subscription.
    package let period: String?
    package let requestReferenceID: String?
    package let taxCode: String?

    /// Reads the members of a decoded payload.
    package init(_ raw: JSONObject) {
        var reader = MemberReader(raw)
        consistencyToken = reader.text("consistencyToken")
        descriptors = reader.object("descriptors").map { AdvancedCommerceDescriptors($0) }
        items = reader.objects("items")?.map { AdvancedCommerceRenewalItem($0) }
        period = reader.text("period")
        requestReferenceID = reader.identifier("requestReferenceId")
        taxCode = reader.text("taxCode")
        unreadable = reader.unreadable
        self.raw = raw
    }
}
