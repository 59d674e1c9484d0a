package import JSON

/// The texts that describe an Advanced Commerce purchase (Advanced Commerce API, descriptors).
package struct AdvancedCommerceDescriptors: Sendable, Hashable {
    /// The payload as it was signed, with the members that are not known here.
    package let raw: JSONObject
    /// The members that are there but cannot be used; each counts as absent.
    package let unreadable: [String]

    package let description: String?
    package let displayName: String?

    /// Reads the members of a decoded payload.
    package init(_ raw: JSONObject) {
        var reader = MemberReader(raw)
        description = reader.text("description")
        displayName = reader.text("displayName")
        unreadable = reader.unreadable
        self.raw = raw
    }
}
