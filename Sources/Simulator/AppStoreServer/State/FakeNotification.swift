import EntitlementDomain

/// A notification of a fake App Store, and how its delivery went.
struct FakeNotification: Sendable {
    struct Attempt: Sendable, Hashable {
        var at: Instant
        /// As the API names it (App Store Server API, sendAttemptResult).
        var result: String
    }

    let uuid: String
    let type: String
    let subtype: String?
    let signedAt: Instant
    /// The signed payload, the same at each delivery.
    let text: String
    let transactionID: String?
    var attempts: [Attempt] = []
    /// Nil: delivered, or given up, or nowhere to go.
    var nextAttemptAt: Instant?

    var isDelivered: Bool { attempts.last?.result == "SUCCESS" }
}
