import EntitlementDomain

/// Why stored bytes give no text.
struct EvidenceError: Error, Hashable, CustomStringConvertible {
    /// For people: what was wrong.
    var reason: String
    /// The pseudonym of the erased account that it is sealed for.
    var erased: AccountID?

    var description: String { "the stored text cannot be read: \(reason)" }

    init(_ reason: String) {
        self.reason = reason
    }

    init(sealedFor pseudonym: AccountID) {
        reason = "it is sealed for account \(pseudonym), whose key is not there"
        erased = pseudonym
    }
}
