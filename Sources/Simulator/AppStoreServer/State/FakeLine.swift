import EntitlementDomain
import JSON

/// A subscription of one customer: what its renewal depends on.
struct FakeLine: Sendable {
    enum Phase: Sendable, Hashable {
        case active
        case gracePeriod(until: Instant)
        case billingRetry(until: Instant)
        /// With the code of the reason (App Store Server API, expirationIntent).
        case expired(intent: Int64)
        case revoked
    }

    let id: String
    let customer: Int
    var product: FakeProduct
    /// What renews next.
    var nextProduct: FakeProduct
    /// The transaction of the period that runs, or ran last.
    var currentID: String
    var expiresAt: Instant
    var phase = Phase.active
    var autoRenews = true
    /// Whether the customer's card is declined.
    var isCardDeclined = false
    /// When something happens by itself next.
    var nextStepAt: Instant?
    /// When the period was extended.
    var extensions: [Instant] = []

    /// The status as the API numbers it (App Store Server API, status).
    var status: Int64 {
        switch phase {
        case .active: 1
        case .expired: 2
        case .billingRetry: 3
        case .gracePeriod: 4
        case .revoked: 5
        }
    }
}
