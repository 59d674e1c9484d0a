import EntitlementDomain

/// The answer of an account for now, as it was read, and the result of `entitlements.get` made of it.
struct AccountRead: Sendable {
    var answer: Answer
    var position: LogPosition
    var json: [UInt8]
}
